package org.galerna.collectives;

import org.galerna.collectives.buffer.Blocks;

/** Where the block of each rank lies in a buffer, in bytes. */
final class Layout {
    private static final int GAP = 3;

    private final int[] counts;
    private final int[] displacements;
    private final int extent;

    private Layout(int[] counts, int[] displacements, int extent) {
        this.counts = counts;
        this.displacements = displacements;
        this.extent = extent;
    }

    /** Bytes in the block of a rank. */
    int count(int rank) {
        return counts[rank];
    }

    /** Where the block of a rank starts. */
    int displacement(int rank) {
        return displacements[rank];
    }

    int size() {
        return counts.length;
    }

    /** Bytes in the buffer. */
    int extent() {
        return extent;
    }

    /** Blocks of up to {@code longest} bytes, some of them empty, as {@link #of} has them. */
    static Layout irregular(long seed, int size, int longest) {
        int[] counts = new int[size];
        for (int rank = 0; rank < size; rank++) {
            counts[rank] = (int) Long.remainderUnsigned(Values.number(seed, rank, -1), longest + 1L);
        }
        return of(counts);
    }

    /** Blocks with gaps between them, that of the last rank first. */
    static Layout of(int[] counts) {
        int[] displacements = new int[counts.length];
        int end = GAP;
        for (int rank = counts.length - 1; rank >= 0; rank--) {
            displacements[rank] = end;
            end += counts[rank] + GAP;
        }
        return new Layout(counts, displacements, end);
    }

    static Layout uniform(int size, int length) {
        int[] counts = new int[size];
        int[] displacements = new int[size];
        for (int rank = 0; rank < size; rank++) {
            counts[rank] = length;
            displacements[rank] = rank * length;
        }
        return new Layout(counts, displacements, size * length);
    }

    /** As the API wants them, in one or the other of its forms. */
    Blocks blocks(boolean asLongs) {
        if (!asLongs) {
            return Blocks.of(counts, displacements, 1);
        }
        long[] lengths = new long[counts.length];
        long[] offsets = new long[counts.length];
        for (int rank = 0; rank < counts.length; rank++) {
            lengths[rank] = counts[rank];
            offsets[rank] = displacements[rank];
        }
        return Blocks.of(lengths, offsets);
    }
}
