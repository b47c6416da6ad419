package org.galerna.mpi.datatype;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Puts layouts together, merging what turns out to be one run or one strided group. */
final class LayoutBuilder {
    private final @Nullable ElementType element;
    private int groups;
    private int[] starts = new int[4];
    private int[] lengths = new int[4];
    private int[] strides = new int[4];
    private int[] counts = new int[4];

    private long lower = Long.MAX_VALUE;
    private long upper = Long.MIN_VALUE;
    private long lowerMark = Long.MAX_VALUE;
    private long upperMark = Long.MIN_VALUE;

    LayoutBuilder(@Nullable ElementType element) {
        this.element = element;
    }

    /** Adds {@code blocks} blocks of {@code blockLength} items; blocks start {@code stride} elements apart. */
    void addBlocks(Layout item, long displacement, int blockLength, long stride, int blocks) {
        if (blockLength == 0 || blocks == 0) {
            return;
        }
        long lastBlock = displacement + (blocks - 1) * stride;
        long lastItem = (long) (blockLength - 1) * item.extent();
        extendBounds(item, Math.min(displacement, lastBlock), Math.max(displacement, lastBlock), lastItem);
        if (item.size() == 0) {
            return;
        }
        if (item.isDense()) {
            addGroup(displacement, Math.multiplyExact(blockLength, item.size()), stride, blocks);
            return;
        }
        for (int block = 0; block < blocks; block++) {
            addItems(item, displacement + block * stride, blockLength);
        }
    }

    private void addItems(Layout item, long displacement, int count) {
        Runs runs = item.runs();
        if (runs.groups() == 1 && runs.count(0) == 1) {
            addGroup(displacement + runs.start(0), runs.length(0), item.extent(), count);
            return;
        }
        for (int i = 0; i < count; i++) {
            long origin = displacement + (long) i * item.extent();
            for (int group = 0; group < runs.groups(); group++) {
                addGroup(origin + runs.start(group), runs.length(group), runs.stride(group), runs.count(group));
            }
        }
    }

    private void extendBounds(Layout item, long first, long last, long lastItem) {
        long lowest = first + Math.min(0, lastItem);
        long highest = last + Math.max(0, lastItem);
        if (item.isLowerMarked()) {
            lowerMark = Math.min(lowerMark, lowest + item.lowerBound());
        }
        if (item.isUpperMarked()) {
            upperMark = Math.max(upperMark, highest + item.upperBound());
        }
        if (item.size() > 0) {
            lower = Math.min(lower, lowest + item.runs().lowest());
            upper = Math.max(upper, highest + item.runs().highest() + 1);
        }
    }

    private void addGroup(long start, int length, long stride, int count) {
        int at = Math.toIntExact(start);
        if (count == 1 || stride == length) {
            addRun(at, Math.multiplyExact(length, count));
            return;
        }
        int step = Math.toIntExact(stride);
        int last = groups - 1;
        if (last >= 0
                && lengths[last] == length
                && counts[last] > 1
                && strides[last] == step
                && at == starts[last] + (long) counts[last] * step) {
            counts[last] += count;
        } else {
            append(at, length, step, count);
        }
    }

    private void addRun(int start, int length) {
        int last = groups - 1;
        if (last >= 0 && counts[last] == 1 && start == (long) starts[last] + lengths[last]) {
            lengths[last] += length;
        } else if (last >= 0 && counts[last] == 1 && lengths[last] == length) {
            strides[last] = Math.subtractExact(start, starts[last]);
            counts[last] = 2;
        } else if (last >= 0
                && counts[last] > 1
                && lengths[last] == length
                && start == starts[last] + (long) counts[last] * strides[last]) {
            counts[last]++;
        } else {
            append(start, length, 0, 1);
        }
    }

    private void append(int start, int length, int stride, int count) {
        if (groups == starts.length) {
            int grown = 2 * groups;
            starts = Arrays.copyOf(starts, grown);
            lengths = Arrays.copyOf(lengths, grown);
            strides = Arrays.copyOf(strides, grown);
            counts = Arrays.copyOf(counts, grown);
        }
        starts[groups] = start;
        lengths[groups] = length;
        strides[groups] = stride;
        counts[groups] = count;
        groups++;
    }

    Layout build() {
        boolean lowerMarked = lowerMark != Long.MAX_VALUE;
        boolean upperMarked = upperMark != Long.MIN_VALUE;
        long low = lowerMarked ? lowerMark : lower == Long.MAX_VALUE ? 0 : lower;
        long high = upperMarked ? upperMark : upper == Long.MIN_VALUE ? low : upper;
        Runs runs = new Runs(
                Arrays.copyOf(starts, groups),
                Arrays.copyOf(lengths, groups),
                Arrays.copyOf(strides, groups),
                Arrays.copyOf(counts, groups));
        Math.toIntExact(high - low); // the extent is an int too
        return new Layout(element, runs, Math.toIntExact(low), Math.toIntExact(high), lowerMarked, upperMarked);
    }
}
