package org.galerna.link.ofi.wire;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Descriptor;
import org.galerna.link.support.Frames;
import org.jspecify.annotations.Nullable;

/**
 * What a rank knows of a region of a peer: its descriptor. With an address and a key of the provider the region can be read and
 * written at once, without asking anybody.
 *
 * <pre>
 *    0 +------------------------+
 *      | key (8)                |   in the owner's table
 *    8 +------------------------+
 *      | length (8)             |
 *   16 +------------------------+
 *      | address (8)            |   as the provider wants it
 *   24 +------------------------+
 *      | provider's key (8)     |
 *   32 +------------------------+
 *      | kind (8)               |
 *   40 +------------------------+
 * </pre>
 */
public record RemoteRegion(long key, long length, long address, long remoteKey, int kind) {
    public static final int BYTES = 40;

    /** The provider reaches it. */
    public static final int DIRECT = 1;

    /** The owner copies it through registered buffers. */
    public static final int COPIED = 2;

    /** What a descriptor says; null if it is none. */
    public static @Nullable RemoteRegion read(Descriptor region) {
        if (region.length() != BYTES) {
            return null;
        }
        RemoteRegion read = new RemoteRegion(
                region.getLong(0), region.getLong(8), region.getLong(16), region.getLong(24), region.getInt(32));
        return read.kind < DIRECT || read.kind > COPIED || read.length < 0 ? null : read;
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
