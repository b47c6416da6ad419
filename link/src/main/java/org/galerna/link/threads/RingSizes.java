package org.galerna.link.threads;

import org.galerna.link.LinkOptions;
import org.galerna.memory.RecordRing;

/**
 * Sizes of the ring between two ranks. Rings stay small, so that they stay in the cache, and shrink with the number of
 * ranks, because every pair that talks has two.
 */
record RingSizes(int slots, int dataBytes) {
    static RingSizes of(LinkOptions options, int ranks) {
        int slots = ranks <= 8 ? 1024 : ranks <= 32 ? 256 : 64;
        int dataBytes = ranks <= 8 ? 256 * 1024 : ranks <= 32 ? 64 * 1024 : 32 * 1024;
        return new RingSizes(
                options.slots() == 0 ? slots : options.slots(),
                options.frameBytes() == 0 ? dataBytes : options.frameBytes());
    }

    long bytes() {
        return RecordRing.bytes(slots, dataBytes);
    }

    int maximumRecord() {
        return dataBytes / 2;
    }
}
