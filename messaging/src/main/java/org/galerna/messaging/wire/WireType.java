package org.galerna.messaging.wire;

import java.util.function.Supplier;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
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
    private final @Nullable MessageContents<T> contents;

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
     * A type of what the library itself sends.
     *
     * @param contents what its messages are about
     */
    public static <T> WireType<T> of(int id, Class<T> type, Serializer<T> serializer, MessageContents<T> contents) {
        return new WireType<>(id, 0, type, serializer, null, contents);
    }

    private WireType(
            int id,
            int version,
            Class<T> type,
            Serializer<T> serializer,
            @Nullable Supplier<T> reusable,
            @Nullable MessageContents<T> contents) {
        this.id = id;
        this.version = version;
        this.type = type;
        this.serializer = serializer;
        this.reusable = reusable;
        this.contents = contents;
    }

    /** The same type, of a message that was written already. */
    public WireType<byte[]> ofBytes(T written) {
        MessageContents.Content content = contents == null ? null : contents.of(written);
        return new WireType<>(id, version, byte[].class, WRITTEN, null, content == null ? null : _ -> content);
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

    /** What messages are about, where that decides how they are laid out; null if they are all laid out in the same way. */
    public @Nullable MessageContents<T> contents() {
        return contents;
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
