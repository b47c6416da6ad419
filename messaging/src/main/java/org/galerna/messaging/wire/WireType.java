package org.galerna.messaging.wire;

import java.util.Map;
import java.util.function.Supplier;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.serialization.TypeLayout;
import org.jspecify.annotations.Nullable;

/**
 * A type of messages as frames know it: number and version, serializer, and how long its messages are as a rule.
 *
 * @param <T> class of the messages
 */
public final class WireType<T> {
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
    private final @Nullable CallLayouts<T> calls;

    /** Bytes that messages take as a rule. A race costs a claim that is too long, or a second one. */
    private int estimate = FIRST_ESTIMATE;

    /**
     * A type.
     *
     * @param reusable makes an object that messages are read into again and again; null to make one for each
     */
    public WireType(int id, int version, Class<T> type, Serializer<T> serializer, @Nullable Supplier<T> reusable) {
        this(id, version, type, serializer, reusable, null);
    }

    /**
     * A type whose messages are calls.
     *
     * @param calls how they lie in their bytes
     */
    public static <T> WireType<T> ofCalls(int id, Class<T> type, Serializer<T> serializer, CallLayouts<T> calls) {
        return new WireType<>(id, 0, type, serializer, null, calls);
    }

    private WireType(
            int id,
            int version,
            Class<T> type,
            Serializer<T> serializer,
            @Nullable Supplier<T> reusable,
            @Nullable CallLayouts<T> calls) {
        this.id = id;
        this.version = version;
        this.type = type;
        this.serializer = serializer;
        this.reusable = reusable;
        this.calls = calls;
    }

    /** The same type, of a message that was written already. */
    public WireType<byte[]> ofBytes(T written) {
        return new WireType<>(
                id, version, byte[].class, WRITTEN, null, calls == null ? null : new Written(calls.called(written)));
    }

    /** A call that was written already. */
    private record Written(Called call) implements CallLayouts<byte[]> {
        @Override
        public Map<Long, TypeLayout> offered() {
            return Map.of();
        }

        @Override
        public Called called(byte[] bytes) {
            return call;
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

    /** Makes objects that messages are read into again and again; null if each message is a new object. */
    public @Nullable Supplier<T> reusable() {
        return reusable;
    }

    /** How messages lie in their bytes if that depends on the message; null if it does not. */
    public @Nullable CallLayouts<T> calls() {
        return calls;
    }

    /** Bytes that messages take as a rule. */
    public int estimate() {
        return estimate;
    }

    /** Learns from a message of this many bytes: grows at once, shrinks slowly. */
    public void learn(int bytes) {
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
