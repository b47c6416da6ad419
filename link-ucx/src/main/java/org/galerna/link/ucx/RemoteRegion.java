package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;
import org.galerna.link.Descriptor;
import org.galerna.link.support.Frames;
import org.galerna.link.support.KeyedRegion;
import org.jspecify.annotations.Nullable;

/**
 * A peer's memory that UCX reaches, as its descriptor says:
 *
 * <pre>
 *    0 +--------------------------------+
 *      | key of the control link (8)    |
 *    8 +--------------------------------+
 *      | address (8)                    |
 *   16 +--------------------------------+
 *      | length in bytes (8)            |
 *   24 +--------------------------------+
 *      | checksum of the rest (4)       |
 *   28 +--------------------------------+
 *      | packed key of UCX              |
 *      +--------------------------------+
 * </pre>
 *
 * <p>The checksum is there because UCX believes whatever is said to be a packed key. Memory that only the control link reaches has
 * a descriptor of that link, of 8 bytes.
 *
 * @param controlKey by which the control link reaches the same memory
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record RemoteRegion(long controlKey, long address, long length, byte[] key) {
    static final int HEADER_BYTES = 28;

    private static final int ADDRESS = 8;
    private static final int LENGTH = 16;
    private static final int CHECKSUM = 24;

    /** Whether a packed key is short enough for a descriptor. */
    static boolean hasRoomFor(byte[] key) {
        return HEADER_BYTES + key.length <= Descriptor.MOST_BYTES;
    }

    int bytes() {
        return HEADER_BYTES + key.length;
    }

    void write(MemorySegment frame, long at) {
        frame.set(KeyedRegion.KEY, at, controlKey);
        frame.set(KeyedRegion.KEY, at + ADDRESS, address);
        frame.set(KeyedRegion.KEY, at + LENGTH, length);
        frame.set(Frames.INT, at + CHECKSUM, checksum(key));
        MemorySegment.copy(key, 0, frame, ValueLayout.JAVA_BYTE, at + HEADER_BYTES, key.length);
    }

    /** Reads a descriptor; null if it is none of such memory. */
    static @Nullable RemoteRegion read(Descriptor descriptor) {
        if (descriptor.length() <= HEADER_BYTES) {
            return null;
        }
        byte[] all = descriptor.toArray();
        byte[] key = new byte[all.length - HEADER_BYTES];
        System.arraycopy(all, HEADER_BYTES, key, 0, key.length);
        return descriptor.getInt(CHECKSUM) == checksum(key)
                ? new RemoteRegion(descriptor.getLong(0), descriptor.getLong(ADDRESS), descriptor.getLong(LENGTH), key)
                : null;
    }

    private static int checksum(byte[] key) {
        CRC32C sum = new CRC32C();
        sum.update(key);
        return (int) sum.getValue();
    }

    boolean contains(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && offset <= length - bytes;
    }

    /** The descriptor by which the control link reaches it. */
    Descriptor ofControl() {
        MemorySegment frame = MemorySegment.ofArray(new long[1]);
        frame.set(KeyedRegion.KEY, 0, controlKey);
        Descriptor descriptor = new Descriptor();
        descriptor.read(frame, 0, Long.BYTES);
        return descriptor;
    }
}
