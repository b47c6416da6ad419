package org.galerna.link.threads;

import java.lang.foreign.Arena;
import org.galerna.link.LinkOptions;
import org.galerna.memory.RecordRing;

/**
 * Sizes of the ring between two ranks, or of the queue of a rank. Rings stay small, so that they stay in the cache, and
 * shrink with the number of ranks.
 */
record RingSizes(int slots, int dataBytes) {
    private static final int QUEUE_SLOTS = 512;

    static RingSizes of(LinkOptions options, int ranks) {
        int slots = ranks <= 8 ? 1024 : ranks <= 32 ? 256 : 64;
        int dataBytes = ranks <= 8 ? 256 * 1024 : ranks <= 32 ? 64 * 1024 : 32 * 1024;
        return new RingSizes(
                options.slots() == 0 ? slots : options.slots(),
                options.frameBytes() == 0 ? dataBytes : options.frameBytes());
    }

    /** Those of the queue beside rings of this size: a frame that fits into a ring fits into it, with its sender. */
    RingSizes ofQueue() {
        return new RingSizes(Math.max(QUEUE_SLOTS, slots), 2 * dataBytes);
    }

    /** Bytes of a ring. */
    long bytes() {
        return RecordRing.bytes(slots, dataBytes);
    }

    /** A ring that is collected with its last user: frames must stay readable after their sender has left. */
    RecordRing newRing() {
        return RecordRing.create(Arena.ofAuto().allocate(bytes(), 128), slots, dataBytes);
    }

    int maximumRecord() {
        return dataBytes / 2;
    }
}
