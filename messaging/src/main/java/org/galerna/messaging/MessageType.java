package org.galerna.messaging;

import java.util.function.Supplier;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

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

    private static final int FIRST_ESTIMATE = 64;

    private static final Serializer<byte[]> WRITTEN = new Serializer<>() {
        @Override
        public void write(byte[] value, Exporter out) {
            out.writeBytes(value, 0, value.length);
        }

        @Override
        public byte[] read(Importer in, byte @Nullable [] reused) {
            throw new IllegalStateException("it is read as what it is");
        }
    };

    private final int id;
    private final int version;
    private final Class<T> type;
    private final Serializer<T> serializer;
    private final @Nullable Supplier<T> reusable;

    /** Bytes that messages take as a rule. A race costs a claim that is too long, or a second one. */
    private int estimate = FIRST_ESTIMATE;

    private MessageType(int id, int version, Class<T> type, Serializer<T> serializer, @Nullable Supplier<T> reusable) {
        this.id = id;
        this.version = version;
        this.type = type;
        this.serializer = serializer;
        this.reusable = reusable;
    }

    /**
     * A type with a serializer of its own.
     *
     * @param id the same on all nodes, 0 to {@value #MAXIMUM_ID}
     * @param version of what this node writes, 0 to 255
     */
    public static <T> MessageType<T> of(int id, int version, Class<T> type, Serializer<T> serializer) {
        check(id, version);
        return new MessageType<>(id, version, type, serializer, null);
    }

    /** A type of records, whose serializer is derived; see {@link RecordSerializer}. */
    public static <T> MessageType<T> record(int id, int version, Class<T> type) {
        return of(id, version, type, RecordSerializer.of(type));
    }

    /**
     * The same type, whose messages are read into objects that are used again: each handler thread has one, and a receiver
     * may use its message only until it returns.
     */
    public MessageType<T> reusing(Supplier<T> maker) {
        return new MessageType<>(id, version, type, serializer, maker);
    }

    /** For what the library itself sends. */
    static <T> MessageType<T> internal(int id, Class<T> type, Serializer<T> serializer) {
        return new MessageType<>(id, 0, type, serializer, null);
    }

    /** The same type, of messages that were written already. */
    MessageType<byte[]> ofBytes() {
        return new MessageType<>(id, version, byte[].class, WRITTEN, null);
    }

    private static void check(int id, int version) {
        if (id < 0 || id > MAXIMUM_ID) {
            throw new IllegalArgumentException("a type's number is 0 to " + MAXIMUM_ID + ", not " + id);
        }
        if (version < 0 || version > MAXIMUM_VERSION) {
            throw new IllegalArgumentException("a type's version is 0 to " + MAXIMUM_VERSION + ", not " + version);
        }
    }

    /** The number. */
    public int id() {
        return id;
    }

    /** What this node writes. */
    public int version() {
        return version;
    }

    /** The class. */
    public Class<T> type() {
        return type;
    }

    /** The serializer. */
    public Serializer<T> serializer() {
        return serializer;
    }

    @Nullable
    Supplier<T> reusable() {
        return reusable;
    }

    int estimate() {
        return estimate;
    }

    /** Learns from a message of this many bytes: grows at once, shrinks slowly. */
    void learn(int bytes) {
        int known = estimate;
        if (bytes > known) {
            estimate = bytes;
        } else if (bytes < known) {
            estimate = known - Math.max(1, (known - bytes) >> 4);
        }
    }

    @Override
    public String toString() {
        return type.getName() + " (number " + id + ", version " + version + ")";
    }
}
