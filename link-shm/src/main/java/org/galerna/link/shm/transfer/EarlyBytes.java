package org.galerna.link.shm.transfer;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a region of a peer that came before this rank has asked for them, and while it waited for something
 * else: they would be in the way of that. See {@link TransferLayout}. Guarded by the lock of the transfers.
 */
final class EarlyBytes {
    private static final long NONE = 0; // a key that no region has

    private byte @Nullable [] array; // made for the first ones
    private long key = NONE;
    private int length;

    /** Whether there are any, and of the region with this key. */
    boolean areOf(long region) {
        return key == region && key != NONE;
    }

    /**
     * Keeps some, in place of those of another region, which is closed then.
     *
     * @param start which byte of the region the first one is
     */
    void keep(long region, long start, MemorySegment memory, long offset, int bytes) {
        if (start == 0) {
            key = region;
            length = 0;
        }
        if (key != region || start != length || bytes > TransferLayout.EARLY_MOST - length) {
            return; // behind those that somebody took who wanted no more of them
        }
        byte[] target = array;
        if (target == null || target.length - length < bytes) {
            target = target == null ? new byte[TransferLayout.CHUNK] : Arrays.copyOf(target, TransferLayout.EARLY_MOST);
            array = target;
        }
        MemorySegment.copy(memory, offset, MemorySegment.ofArray(target), length, bytes);
        length += bytes;
    }

    /** What is kept, until the next ones come. */
    MemorySegment bytes() {
        byte[] source = array;
        return source == null ? MemorySegment.NULL : MemorySegment.ofArray(source);
    }

    /** How many there were; there are none any more. */
    int take() {
        key = NONE;
        return length;
    }
}
