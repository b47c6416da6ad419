package org.galerna.mpi.datatype;

import java.util.Arrays;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/**
 * Which elements of an array an item of a datatype consists of: the type map of MPI 1.1 §3.12, in elements of one base
 * type, since the elements of a Java array are all of one type. Immutable.
 *
 * <p>The map is kept as strided runs in the order of the elements, so that a vector of a million blocks is four
 * numbers. Bounds follow MPI: without markers from the first to behind the last element; a lower or upper bound marker
 * anywhere in the map overrides that side.
 */
public final class Layout {
    private final @Nullable ElementType element;
    private final Runs runs;
    private final int size;
    private final int lowerBound;
    private final int upperBound;
    private final boolean lowerMarked;
    private final boolean upperMarked;
    private final boolean dense;

    Layout(
            @Nullable ElementType element,
            Runs runs,
            int lowerBound,
            int upperBound,
            boolean lowerMarked,
            boolean upperMarked) {
        this.element = element;
        this.runs = runs;
        this.size = runs.elements();
        this.lowerBound = lowerBound;
        this.upperBound = upperBound;
        this.lowerMarked = lowerMarked;
        this.upperMarked = upperMarked;
        this.dense = lowerBound == 0 && upperBound == size && runs.isOneRunAtZero();
    }

    /** One element. */
    public static Layout of(ElementType element) {
        return new Layout(element, Runs.ONE, 0, 1, false, false);
    }

    /** No element, but the lower bound of a structure. */
    public static Layout lowerMarker() {
        return new Layout(null, Runs.NONE, 0, 0, true, false);
    }

    /** No element, but the upper bound of a structure. */
    public static Layout upperMarker() {
        return new Layout(null, Runs.NONE, 0, 0, false, true);
    }

    /** Nothing at all. */
    public static Layout nothing() {
        return new Layout(null, Runs.NONE, 0, 0, false, false);
    }

    /** {@code count} items one extent apart. */
    public Layout contiguous(int count) {
        return vector(1, count, 0);
    }

    /**
     * {@code count} blocks of {@code blockLength} items; the blocks start {@code stride} elements apart.
     *
     * @throws ArithmeticException if the layout reaches further than an array can
     */
    public Layout vector(int count, int blockLength, long stride) {
        LayoutBuilder builder = new LayoutBuilder(element);
        builder.addBlocks(this, 0, blockLength, stride, count);
        return builder.build();
    }

    /**
     * Blocks of {@code lengths[i]} items that start {@code displacements[i]} elements from the origin.
     *
     * @throws ArithmeticException if the layout reaches further than an array can
     */
    public Layout indexed(int[] lengths, long[] displacements) {
        LayoutBuilder builder = new LayoutBuilder(element);
        for (int block = 0; block < lengths.length; block++) {
            builder.addBlocks(this, displacements[block], lengths[block], 0, 1);
        }
        return builder.build();
    }

    /**
     * Blocks of different layouts, all of one element type but for the markers.
     *
     * @throws IllegalArgumentException if element types differ
     * @throws ArithmeticException if the layout reaches further than an array can
     */
    public static Layout struct(int[] lengths, long[] displacements, Layout[] layouts) {
        ElementType element = null;
        for (Layout layout : layouts) {
            if (layout.element != null) {
                if (element != null && element != layout.element) {
                    throw new IllegalArgumentException("a structure of " + element + " cannot also have "
                            + layout.element + ", because one array holds them all");
                }
                element = layout.element;
            }
        }
        LayoutBuilder builder = new LayoutBuilder(element);
        for (int block = 0; block < lengths.length; block++) {
            builder.addBlocks(layouts[block], displacements[block], lengths[block], 0, 1);
        }
        return builder.build();
    }

    /** Element type; null for bound markers and for nothing at all. */
    public @Nullable ElementType element() {
        return element;
    }

    /** Number of elements in an item. */
    public int size() {
        return size;
    }

    /** Lower bound in elements. */
    public int lowerBound() {
        return lowerBound;
    }

    /** Upper bound in elements. */
    public int upperBound() {
        return upperBound;
    }

    boolean isLowerMarked() {
        return lowerMarked;
    }

    boolean isUpperMarked() {
        return upperMarked;
    }

    /** Distance in elements from one item to the next. */
    public int extent() {
        return upperBound - lowerBound;
    }

    /** True if items lie side by side without gaps and in order, so that an array of them is a block of memory. */
    public boolean isDense() {
        return dense;
    }

    /** Whether an item is one run of elements, so that a single one is a block of memory. */
    public boolean isOneRun() {
        return runs.isOneRun();
    }

    /** Lowest position of an element of an item, relative to its origin. */
    public int lowest() {
        return runs.lowest();
    }

    Runs runs() {
        return runs;
    }

    /**
     * True if {@code count} items, the first with its origin at {@code offset}, lie inside an array of
     * {@code length} elements.
     */
    public boolean fits(long length, int offset, int count) {
        if (count == 0 || size == 0) {
            return offset >= 0 && offset <= length;
        }
        long last = (long) offset + (long) (count - 1) * extent();
        long low = Math.min(offset, last) + runs.lowest();
        long high = Math.max(offset, last) + runs.highest();
        return low >= 0 && high < length;
    }

    /** Length of the shortest array that holds {@code count} items, at least one. */
    public int span(int count) {
        long steps = (long) (count - 1) * extent();
        return Math.toIntExact(Math.abs(steps) + runs.highest() - runs.lowest() + 1);
    }

    /** Where in an array of {@link #span} elements the origin of the first of {@code count} items is. */
    public int originIn(int count) {
        long steps = (long) (count - 1) * extent();
        return Math.toIntExact(-Math.min(0, steps) - runs.lowest());
    }

    /**
     * The elements of {@code count} items as a row that a device takes where ranks share a heap, if they are runs of one
     * length at one distance in an array that can be sent as it is; otherwise null.
     */
    public @Nullable StridedArray strided(Object buffer, int offset, int count) {
        if (element == null || !element.isPlain() || !element.isArray(buffer) || count == 0 || runs.groups() != 1) {
            return null;
        }
        int start = offset + runs.start(0);
        int inItem = runs.count(0);
        boolean goesOn = (long) inItem * runs.stride(0) == extent();
        if (count > 1 && inItem > 1 && !goesOn) {
            return null;
        }
        int stride = inItem == 1 ? extent() : runs.stride(0);
        return new StridedArray(buffer, element.bytes(), start, runs.length(0), stride, inItem * count);
    }

    /** Copies the elements of {@code count} items into {@code packed}, one behind the other. */
    public void gather(Object buffer, int offset, int count, Object packed, int packedOffset) {
        if (size == 0) {
            return; // and perhaps of no type
        }
        runs.gather(type(), buffer, offset, extent(), count, packed, packedOffset);
    }

    /** Copies {@code elements} elements out of {@code packed} to where they belong, leaving everything else alone. */
    public void scatter(Object packed, int packedOffset, int elements, Object buffer, int offset) {
        if (size == 0) {
            return;
        }
        runs.scatter(type(), packed, packedOffset, elements, buffer, offset, extent());
    }

    private ElementType type() {
        if (element == null) {
            throw new IllegalStateException("a bound marker has no elements");
        }
        return element;
    }

    @Override
    public String toString() {
        return size + " of " + element + " within [" + lowerBound + ", " + upperBound + ")" + (dense ? "" : runs);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Layout that
                && element == that.element
                && lowerBound == that.lowerBound
                && upperBound == that.upperBound
                && runs.equals(that.runs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new int[] {lowerBound, upperBound, runs.hashCode()});
    }
}
