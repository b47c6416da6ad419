package org.galerna.link.verbs.wire;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Descriptor;
import org.galerna.link.support.Frames;
import org.jspecify.annotations.Nullable;

/**
 * What a rank knows of a region of a peer: its descriptor. With an address and a key of the adapter the region can be read and
 * written at once, without asking anybody.
 *
 * <pre>
 *    0 +------------------------+
 *      | key (8)                |   in the owner's table
 *    8 +------------------------+
 *      | length (8)             |
 *   16 +------------------------+
 *      | address (8)            |   0 if the owner serves it
 *   24 +------------+-----------+
 *      | rkey (4)   | kind (4)  |
 *   32 +------------+-----------+
 * </pre>
 */
public record RemoteRegion(long key, long length, long address, int remoteKey, int kind) {
    public static final int BYTES = 32;

    /** The adapter reaches it, and its owner takes no part. */
    public static final int DIRECT = 1;

    /** The owner copies it through registered buffers. */
    public static final int COPIED = 2;

    /** The owner's adapter reaches it, and the owner starts the transfer. */
    public static final int SERVED = 3;

    /** What a descriptor says; null if it is none. */
    public static @Nullable RemoteRegion read(Descriptor region) {
        if (region.length() != BYTES) {
            return null;
        }
        RemoteRegion read = new RemoteRegion(
                region.getLong(0), region.getLong(8), region.getLong(16), region.getInt(24), region.getInt(28));
        return read.kind < DIRECT || read.kind > SERVED || read.length < 0 ? null : read;
    }

    public void write(MemorySegment frame, long at) {
        frame.set(Frames.LONG, at, key);
        frame.set(Frames.LONG, at + 8, length);
        frame.set(Frames.LONG, at + 16, address);
        frame.set(Frames.INT, at + 24, remoteKey);
        frame.set(Frames.INT, at + 28, kind);
    }

    public boolean isDirect() {
        return kind == DIRECT;
    }

    public boolean contains(long offset, long bytes) {
        return offset >= 0 && offset <= length - bytes;
    }
}
