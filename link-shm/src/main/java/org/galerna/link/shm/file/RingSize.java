package org.galerna.link.shm.file;

import java.lang.foreign.MemorySegment;
import org.galerna.link.LinkOptions;
import org.galerna.memory.RecordRing;

/**
 * The size of one ring.
 *
 * @param slots as in {@link RecordRing#bytes}
 * @param dataBytes as in {@link RecordRing#bytes}
 */
public record RingSize(int slots, int dataBytes) {
    private static final int KIBI = 1024;
    private static final int QUEUE_SLOTS = 1024;
    private static final int QUEUE_BYTES = 128 * KIBI;

    /**
     * The ring for frames of one rank to another. It shrinks with the number of ranks, because every pair that talks has
     * two.
     */
    public static RingSize ofFrames(LinkOptions options, int ranks) {
        int slots = ranks <= 8 ? 1024 : ranks <= 32 ? 256 : 128;
        int dataBytes = KIBI * (ranks <= 4 ? 1024 : ranks <= 8 ? 256 : ranks <= 32 ? 64 : 16);
        return new RingSize(
                options.slots() == 0 ? slots : options.slots(),
                options.frameBytes() == 0 ? dataBytes : options.frameBytes());
    }

    /** The queue of a rank beside rings of this size: a frame that fits into a ring fits into it, with its sender. */
    public RingSize ofQueue() {
        return new RingSize(Math.max(QUEUE_SLOTS, slots), Math.max(QUEUE_BYTES, 2 * dataBytes));
    }

    /** The ring for what a rank asks the owner of a region for, and the bytes that it puts there. */
    public static RingSize ofRequests(int ranks) {
        return new RingSize(64, KIBI * (ranks <= 8 ? 256 : ranks <= 32 ? 128 : 64));
    }

    /**
     * The ring for the bytes that a rank gets from the owner of a region. Where memory is no matter it is larger than a
     * core's own cache: a line that the reader still has in its cache costs the writer three times what one costs that
     * has got into the common cache.
     */
    public static RingSize ofAnswers(int ranks) {
        return new RingSize(256, KIBI * (ranks <= 8 ? 2048 : ranks <= 32 ? 512 : 128));
    }

    /** Longest message that is best sent in this ring, in bytes: where there is room for many, up to 16 KiB. */
    public int eagerLimit() {
        return Math.clamp(dataBytes / 64, 8 * KIBI, 16 * KIBI);
    }

    long bytes() {
        return RecordRing.bytes(slots, dataBytes);
    }

    void create(MemorySegment memory) {
        RecordRing.create(memory, slots, dataBytes);
    }

    /** Longest record, in bytes. */
    public int maximumRecord() {
        return dataBytes / 2;
    }
}
