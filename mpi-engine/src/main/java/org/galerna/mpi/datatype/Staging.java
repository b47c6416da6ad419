package org.galerna.mpi.datatype;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.galerna.memory.EarlyClasses;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that items with gaps are packed into on their way to the device and back. They are used again and again: to
 * get a new array zeroed costs as much as to pack it. May be used by any thread; who takes an array need not give it
 * back, and must not while the device may still read or write it.
 */
public final class Staging {
    static {
        EarlyClasses.initialize(Packing.class);
    }

    /** Arrays of one element type that are kept. */
    private static final int KEPT = 4;

    /** Larger arrays, in elements, are left to the garbage collector. */
    private static final int LARGEST_KEPT = 4 << 20;

    /** Arrays are at least this long, in elements, so that small messages of any length share them. */
    private static final int LEAST = 256;

    private final Map<ElementType, @Nullable Object[]> free = new EnumMap<>(ElementType.class);

    /** No arrays yet. */
    public Staging() {
        for (ElementType type : ElementType.values()) {
            free.put(type, new Object[KEPT]);
        }
    }

    /** Kept arrays of one type. */
    private @Nullable Object[] of(ElementType stored) {
        return Objects.requireNonNull(free.get(stored));
    }

    /** An array for {@code count} packed items, at least as long as they need, with any contents. */
    public Object take(Layout layout, ElementType element, int count) {
        int elements = Math.multiplyExact(layout.size(), count);
        ElementType stored = Packing.storedAs(element);
        if (elements <= LARGEST_KEPT) {
            Object kept = takeKept(of(stored), stored, elements);
            if (kept != null) {
                return kept;
            }
        }
        return stored.newArray(elements > LARGEST_KEPT ? elements : roundUp(elements));
    }

    private synchronized @Nullable Object takeKept(@Nullable Object[] ofType, ElementType stored, int elements) {
        for (int i = 0; i < KEPT; i++) {
            Object array = ofType[i];
            if (array != null && stored.length(array) >= elements) {
                ofType[i] = null;
                return array;
            }
        }
        return null;
    }

    /** As {@link #take}, with the items packed. */
    public Object pack(Layout layout, ElementType element, Object buffer, int offset, int count) {
        Object packed = take(layout, element, count);
        Packing.pack(layout, element, buffer, offset, count, packed, 0);
        return packed;
    }

    /** Gives an array of {@link #take} back. */
    public void give(ElementType element, Object array) {
        ElementType stored = Packing.storedAs(element);
        if (stored.length(array) <= LARGEST_KEPT) {
            keep(of(stored), stored, array);
        }
    }

    /** Keeps the array in the place of the shortest one. */
    private synchronized void keep(@Nullable Object[] ofType, ElementType stored, Object array) {
        int shortest = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < KEPT; i++) {
            Object other = ofType[i];
            int length = other == null ? 0 : stored.length(other);
            if (length < least) {
                least = length;
                shortest = i;
            }
        }
        if (least < stored.length(array)) {
            ofType[shortest] = array;
        }
    }

    private static int roundUp(int elements) {
        return elements <= LEAST ? LEAST : Integer.highestOneBit(elements - 1) << 1;
    }
}
