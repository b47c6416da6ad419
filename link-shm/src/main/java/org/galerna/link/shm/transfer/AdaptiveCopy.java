package org.galerna.link.shm.transfer;

import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.memory.MemoryCopy;
import org.galerna.nativeaccess.memory.StreamingCopy;

/**
 * Copies the bytes of transfers to or from a ring, in the way that has lately been the fastest. Which one that is depends
 * on the processor, on how far the other rank's core is, and on where the lines of the ring are, and it changes while a job
 * runs: the system may move a rank to another core, and a hypervisor the core. Not thread-safe.
 */
public final class AdaptiveCopy {
    /** The ways, by the numbers that the choice has for them. */
    public enum Way {
        LIBRARY,
        STORES,
        STREAMING
    }

    private static final Way[] WAYS = Way.values();

    /**
     * So many times faster streaming must be than what leaves the bytes in a cache. What it saves the writer, from whose
     * core nothing is fetched, costs the reader, who waits for the memory: where the cores are near each other the writer
     * takes as long both ways, and both together twice as long by streaming; where they are far it is three to ten times as
     * fast for the writer, and two to four times for both.
     */
    private static final double STREAMING_GAIN = 2.5;

    private final CopyChoice choice;

    private AdaptiveCopy(CopyChoice choice) {
        this.choice = choice;
    }

    /**
     * For copies to a ring that another process reads. Stores to lines that streaming has left in memory say nothing about
     * stores to lines that stores have left in a cache, so those are tried all around the ring.
     *
     * @param ring bytes of the ring
     */
    public static AdaptiveCopy toRing(long ring) {
        return new AdaptiveCopy(
                StreamingCopy.isAvailable()
                        ? new CopyChoice(new double[] {1, 1, STREAMING_GAIN}, ring, System.nanoTime())
                        : new CopyChoice(new double[] {1, 1}, ring, System.nanoTime()));
    }

    /** For copies from a ring that another process writes. */
    public static AdaptiveCopy fromRing() {
        return new AdaptiveCopy(new CopyChoice(new double[] {1, 1}, 0, System.nanoTime()));
    }

    /**
     * Copies bytes, as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} does and with the same
     * exceptions, between ranges that do not overlap.
     */
    public void copy(MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        if (!choice.isTimed(bytes)) {
            copy(WAYS[choice.way()], source, from, target, to, bytes);
            return;
        }
        long start = System.nanoTime();
        copy(WAYS[choice.way()], source, from, target, to, bytes);
        choice.took(bytes, start, System.nanoTime());
    }

    /** Copies in a certain way. */
    public static void copy(Way way, MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        switch (way) {
            case LIBRARY -> MemoryCopy.copy(source, from, target, to, bytes);
            case STORES -> MemorySegment.copy(source, from, target, to, bytes);
            case STREAMING -> StreamingCopy.copy(source, from, target, to, bytes);
        }
    }
}
