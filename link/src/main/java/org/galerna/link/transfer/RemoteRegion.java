package org.galerna.link.transfer;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Descriptor;
import org.galerna.link.support.Frames;
import org.jspecify.annotations.Nullable;

/**
 * What a rank knows of a region of a peer: its descriptor. With an address and a key of the network the region can be read and
 * written at once, without asking anybody.
 *
 * <pre>
 *    0 +------------------------+
 *      | key (8)                |   in the owner's table
 *    8 +------------------------+
 *      | length (8)             |
 *   16 +------------------------+
 *      | address (8)            |   as the network wants it; 0 if the owner serves it
 *   24 +------------------------+
 *      | network's key (8)      |
 *   32 +------------------------+
 *      | kind (8)               |
 *   40 +------------------------+
 * </pre>
 */
public record RemoteRegion(long key, long length, long address, long remoteKey, int kind) {
    public static final int BYTES = 40;

    /** The network reaches it. */
    public static final int DIRECT = 1;

    /** The owner copies it through registered buffers. */
    public static final int COPIED = 2;

    /** The network reaches it, and the owner starts the transfer. */
    public static final int SERVED = 3;

    /** What a descriptor says; null if it is none. */
    public static @Nullable RemoteRegion read(Descriptor region) {
        if (region.length() != BYTES) {
            return null;
        }
        RemoteRegion read = new RemoteRegion(
                region.getLong(0), region.getLong(8), region.getLong(16), region.getLong(24), region.getInt(32));
        return read.kind < DIRECT || read.kind > SERVED || read.length < 0 ? null : read;
    }

    public void write(MemorySegment frame, long at) {
        frame.set(Frames.LONG, at, key);
        frame.set(Frames.LONG, at + 8, length);
        frame.set(Frames.LONG, at + 16, address);
        frame.set(Frames.LONG, at + 24, remoteKey);
        frame.set(Frames.LONG, at + 32, kind);
    }

    public boolean isDirect() {
        return kind == DIRECT;
    }

    public boolean contains(long offset, long bytes) {
        return offset >= 0 && offset <= length - bytes;
    }
}
