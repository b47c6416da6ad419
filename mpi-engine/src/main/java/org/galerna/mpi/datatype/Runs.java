package org.galerna.mpi.datatype;

import java.util.Arrays;
import org.galerna.memory.StridedCopy;
import org.jspecify.annotations.Nullable;

/**
 * Element positions as groups of runs: group {@code g} is {@code counts[g]} runs of {@code lengths[g]} elements, the
 * first at {@code starts[g]}, the others {@code strides[g]} apart. Positions are relative to the origin of an item.
 */
final class Runs {
    static final Runs NONE = new Runs(new int[0], new int[0], new int[0], new int[0]);
    static final Runs ONE = new Runs(new int[] {0}, new int[] {1}, new int[] {0}, new int[] {1});

    /** Runs of an item up to which items are copied {@linkplain #goRunByRun run by run}. */
    private static final int FEW_RUNS = 4;

    private final int[] starts;
    private final int[] lengths;
    private final int[] strides;
    private final int[] counts;
    private final int elements;
    private final long runs;
    private final int lowest;
    private final int highest;

    Runs(int[] starts, int[] lengths, int[] strides, int[] counts) {
        this.starts = starts;
        this.lengths = lengths;
        this.strides = strides;
        this.counts = counts;
        long total = 0;
        long parts = 0;
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int group = 0; group < starts.length; group++) {
            total += (long) lengths[group] * counts[group];
            parts += counts[group];
            long last = starts[group] + (long) strides[group] * (counts[group] - 1);
            low = Math.min(low, Math.min(starts[group], last));
            high = Math.max(high, Math.max(starts[group], last) + lengths[group] - 1);
        }
        this.elements = Math.toIntExact(total);
        this.runs = parts;
        this.lowest = total == 0 ? 0 : Math.toIntExact(low);
        this.highest = total == 0 ? -1 : Math.toIntExact(high);
    }

    int groups() {
        return starts.length;
    }

    int start(int group) {
        return starts[group];
    }

    int length(int group) {
        return lengths[group];
    }

    int stride(int group) {
        return strides[group];
    }

    int count(int group) {
        return counts[group];
    }

    int elements() {
        return elements;
    }

    /** Lowest position; 0 if there is none. */
    int lowest() {
        return lowest;
    }

    /** Highest position; -1 if there is none. */
    int highest() {
        return highest;
    }

    boolean isOneRun() {
        return runs == 1;
    }

    boolean isOneRunAtZero() {
        return isOneRun() && starts[0] == 0;
    }

    /** Whether it is faster to copy one run of all items, then the next run of all, than item by item. */
    private boolean goRunByRun(int items) {
        return runs == 1 || (runs <= FEW_RUNS && items > 2 * FEW_RUNS);
    }

    void gather(ElementType type, Object buffer, int offset, int extent, int items, Object packed, int packedOffset) {
        int to = packedOffset;
        if (goRunByRun(items)) {
            for (int group = 0; group < starts.length; group++) {
                int length = lengths[group];
                for (int run = 0; run < counts[group]; run++) {
                    int from = offset + starts[group] + run * strides[group];
                    StridedCopy.copy(type.bytes(), buffer, from, extent, packed, to, elements, length, items);
                    to += length;
                }
            }
            return;
        }
        int origin = offset;
        for (int item = 0; item < items; item++) {
            for (int group = 0; group < starts.length; group++) {
                int length = lengths[group];
                int from = origin + starts[group];
                StridedCopy.copy(type.bytes(), buffer, from, strides[group], packed, to, length, length, counts[group]);
                to += length * counts[group];
            }
            origin += extent;
        }
    }

    void scatter(
            ElementType type, Object packed, int packedOffset, int available, Object buffer, int offset, int extent) {
        if (elements == 0) {
            return;
        }
        int items = available / elements;
        int from = packedOffset;
        int origin = offset;
        if (goRunByRun(items)) {
            for (int group = 0; group < starts.length; group++) {
                int length = lengths[group];
                for (int run = 0; run < counts[group]; run++) {
                    int to = offset + starts[group] + run * strides[group];
                    StridedCopy.copy(type.bytes(), packed, from, elements, buffer, to, extent, length, items);
                    from += length;
                }
            }
            from = packedOffset + items * elements;
            origin += items * extent;
        } else {
            for (int item = 0; item < items; item++) {
                scatterPart(type, packed, from, elements, buffer, origin);
                from += elements;
                origin += extent;
            }
        }
        scatterPart(type, packed, from, available - items * elements, buffer, origin);
    }

    /** Scatters the first {@code available} elements of one item. */
    private void scatterPart(
            ElementType type, Object packed, int packedOffset, int available, Object buffer, int origin) {
        int from = packedOffset;
        int left = available;
        for (int group = 0; group < starts.length && left > 0; group++) {
            int length = lengths[group];
            int whole = Math.min(counts[group], left / length);
            StridedCopy.copy(
                    type.bytes(), packed, from, length, buffer, origin + starts[group], strides[group], length, whole);
            from += whole * length;
            left -= whole * length;
            if (whole < counts[group] && left > 0) {
                int to = origin + starts[group] + whole * strides[group];
                StridedCopy.copy(type.bytes(), packed, from, left, buffer, to, left, left, 1);
                return;
            }
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(" in runs");
        for (int group = 0; group < Math.min(starts.length, 8); group++) {
            text.append(' ').append(counts[group]).append('x').append(lengths[group]);
            text.append('@').append(starts[group]).append('+').append(strides[group]);
        }
        return text.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Runs that
                && Arrays.equals(starts, that.starts)
                && Arrays.equals(lengths, that.lengths)
                && Arrays.equals(strides, that.strides)
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(starts) + Arrays.hashCode(counts);
    }
}
