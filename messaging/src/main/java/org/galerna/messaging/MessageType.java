package org.galerna.messaging;

import java.util.function.Supplier;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.serialization.Serializers;
import org.galerna.messaging.wire.WireType;

/**
 * A kind of message: the class of its objects, the number by which nodes name it to each other, and its serializer. Nodes
 * of different versions understand each other as long as a version only adds fields at the end of the one before.
 *
 * @param <T> class of the messages
 */
public final class MessageType<T> {
    /** Greatest number of a type. */
    public static final int MAXIMUM_ID = 65_000;

    static final int MAXIMUM_VERSION = 255;

    private final WireType<T> wire;

    private MessageType(WireType<T> wire) {
        this.wire = wire;
    }

    /**
     * A type with a serializer of its own.
     *
     * @param id the same on all nodes, 0 to {@value #MAXIMUM_ID}
     * @param version of what this node writes, 0 to 255
     */
    public static <T> MessageType<T> of(int id, int version, Class<T> type, Serializer<T> serializer) {
        check(id, version);
        return new MessageType<>(new WireType<>(id, version, type, serializer, null));
    }

    /**
     * A type of records, whose serializer is derived; see {@link RecordSerializer}.
     *
     * @throws IllegalArgumentException if it cannot be derived; the message names the component and says what to do
     */
    public static <T> MessageType<T> record(int id, int version, Class<T> type) {
        return of(id, version, type, RecordSerializer.of(type));
    }

    /**
     * A type of records, whose serializer is derived.
     *
     * @param own for components of classes that cannot be derived
     * @throws IllegalArgumentException if it cannot be derived; the message names the component and says what to do
     */
    public static <T> MessageType<T> record(int id, int version, Class<T> type, Serializers own) {
        return of(id, version, type, RecordSerializer.of(type, own));
    }

    /**
     * The same type, whose messages are read into objects that are used again: each handler thread has one, and a receiver
     * may use its message only until it returns.
     */
    public MessageType<T> reusing(Supplier<T> maker) {
        return new MessageType<>(new WireType<>(id(), version(), type(), serializer(), maker));
    }

    private static void check(int id, int version) {
        if (id < 0 || id > MAXIMUM_ID) {
            throw new IllegalArgumentException("a type's number is 0 to " + MAXIMUM_ID + ", not " + id);
        }
        if (version < 0 || version > MAXIMUM_VERSION) {
            throw new IllegalArgumentException("a type's version is 0 to " + MAXIMUM_VERSION + ", not " + version);
        }
    }

    static <T> MessageType<T> of(WireType<T> wire) {
        return new MessageType<>(wire);
    }

    /** What the rooms of a node know it as. */
    WireType<T> wire() {
        return wire;
    }

    /** The number. */
    public int id() {
        return wire.id();
    }

    /** What this node writes. */
    public int version() {
        return wire.version();
    }

    /** The class. */
    public Class<T> type() {
        return wire.type();
    }

    /** The serializer. */
    public Serializer<T> serializer() {
        return wire.serializer();
    }

    @Override
    public String toString() {
        return wire.toString();
    }
}
