package org.galerna.collectives.buffer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the part of each rank lies in a buffer: the counts and displacements of MPI's "v" operations, or blocks of one
 * length side by side. Offsets and lengths are in bytes, relative to where the buffer's data start.
 */
public final class Blocks {
    /** Blocks of no bytes, for ranks on which an operation takes no blocks. */
    public static final Blocks NONE = new Blocks(0, null, null, null, null, 0);

    private final long unit;
    private final int @Nullable [] counts;
    private final int @Nullable [] displacements;
    private final long @Nullable [] lengths;
    private final long @Nullable [] offsets;

    /** Bytes of all blocks if they are side by side in the order of the ranks; negative if that is not known. */
    private final long packed;

    private Blocks(
            long unit,
            int @Nullable [] counts,
            int @Nullable [] displacements,
            long @Nullable [] lengths,
            long @Nullable [] offsets,
            long packed) {
        this.unit = unit;
        this.counts = counts;
        this.displacements = displacements;
        this.lengths = lengths;
        this.offsets = offsets;
        this.packed = packed;
    }

    /** Blocks of {@code length} bytes side by side in the order of the ranks. */
    public static Blocks uniform(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("a block of " + length + " bytes");
        }
        return length == 0 ? NONE : new Blocks(length, null, null, null, null, 0);
    }

    /**
     * Blocks in units of some datatype; the arrays are not copied and must not change during the operation.
     *
     * @param counts number of units of each rank, at least 0
     * @param displacements where the block of each rank starts, in units
     * @param unit bytes in a unit
     */
    public static Blocks of(int[] counts, int[] displacements, long unit) {
        check(counts.length, displacements.length);
        for (int rank = 0; rank < counts.length; rank++) {
            checkLength(rank, counts[rank]);
        }
        return new Blocks(unit, counts, displacements, null, null, -1);
    }

    /** Blocks in bytes; the arrays are not copied and must not change during the operation. */
    public static Blocks of(long[] lengths, long[] displacements) {
        check(lengths.length, displacements.length);
        for (int rank = 0; rank < lengths.length; rank++) {
            checkLength(rank, lengths[rank]);
        }
        return new Blocks(1, null, null, lengths, displacements, -1);
    }

    /** Blocks side by side in the order of the ranks, {@code counts[rank]} units of {@code unit} bytes each. */
    public static Blocks packed(int[] counts, long unit) {
        long[] lengths = new long[counts.length];
        long[] offsets = new long[counts.length];
        long offset = 0;
        for (int rank = 0; rank < counts.length; rank++) {
            checkLength(rank, counts[rank]);
            lengths[rank] = counts[rank] * unit;
            offsets[rank] = offset;
            offset += lengths[rank];
        }
        return new Blocks(1, null, null, lengths, offsets, offset);
    }

    /** Where the block of {@code rank} starts. */
    public long offset(int rank) {
        if (displacements != null) {
            return displacements[rank] * unit;
        }
        return offsets != null ? offsets[rank] : rank * unit;
    }

    /** Length of the block of {@code rank}. */
    public long length(int rank) {
        if (counts != null) {
            return counts[rank] * unit;
        }
        return lengths != null ? lengths[rank] : unit;
    }

    /** Bytes in the blocks of {@code ranks} ranks together. */
    public long total(int ranks) {
        if (counts == null && lengths == null) {
            return ranks * unit;
        }
        if (packed >= 0 && offsets != null) {
            return ranks == offsets.length ? packed : offsets[ranks];
        }
        long total = 0;
        for (int rank = 0; rank < ranks; rank++) {
            total += length(rank);
        }
        return total;
    }

    /** Bytes in the blocks of some ranks together. */
    public long total(int[] ranks) {
        if (isUniform()) {
            return ranks.length * unit;
        }
        long total = 0;
        for (int rank : ranks) {
            total += length(rank);
        }
        return total;
    }

    /** Puts the lengths of the blocks of some ranks into an array, from a place on. */
    public void putLengths(int[] ranks, long[] target, int first) {
        if (isUniform()) {
            Arrays.fill(target, first, first + ranks.length, unit);
            return;
        }
        for (int each = 0; each < ranks.length; each++) {
            target[first + each] = length(ranks[each]);
        }
    }

    /** The blocks of some ranks, in their order. */
    public Blocks of(int[] ranks) {
        long[] some = new long[ranks.length];
        long[] places = new long[ranks.length];
        for (int each = 0; each < ranks.length; each++) {
            some[each] = length(ranks[each]);
            places[each] = offset(ranks[each]);
        }
        return of(some, places);
    }

    /** True if each block of these ranks starts where the one before it ends. */
    public boolean areSideBySide(int[] ranks) {
        for (int each = 1; each < ranks.length; each++) {
            if (offset(ranks[each]) != offset(ranks[each - 1]) + length(ranks[each - 1])) {
                return false;
            }
        }
        return true;
    }

    /** True if it is known that all blocks are side by side in the order of the ranks: no look at each of them. */
    public boolean arePacked() {
        return packed >= 0;
    }

    /** True if all blocks are of one length, side by side in the order of the ranks. */
    public boolean isUniform() {
        return counts == null && lengths == null;
    }

    /** True if all blocks are of exactly this length, side by side in the order of the ranks. */
    public boolean isUniform(long length) {
        return counts == null && lengths == null && unit == length;
    }

    /** True if there are blocks for exactly {@code ranks} ranks; blocks of one length are for any number. */
    public boolean fits(int ranks) {
        if (counts != null) {
            return counts.length == ranks;
        }
        return lengths == null || lengths.length == ranks;
    }

    private static void check(int counts, int displacements) {
        if (counts != displacements) {
            throw new IllegalArgumentException(counts + " counts but " + displacements + " displacements");
        }
    }

    private static void checkLength(int rank, long length) {
        if (length < 0) {
            throw new IllegalArgumentException("a count of " + length + " for rank " + rank);
        }
    }
}
