package org.galerna.mpi.datatype;

/**
 * Items of a datatype that is no block of memory, gathered into an array that a device can send: an array of the
 * element type itself, or bytes for booleans. Objects are not packed but serialized.
 */
public final class Packing {
    private Packing() {}

    /** What the elements are in an array that a device can send. */
    static ElementType storedAs(ElementType element) {
        return element == ElementType.BOOLEAN ? ElementType.BYTE : element;
    }

    /**
     * An array for {@code count} packed items.
     *
     * @throws ArithmeticException if they are more elements than an array can have
     */
    public static Object allocate(Layout layout, ElementType element, int count) {
        return storedAs(element).newArray(Math.multiplyExact(layout.size(), count));
    }

    /** Gathers {@code count} items into {@code packed}, starting at element {@code packedOffset} there. */
    public static void pack(
            Layout layout, ElementType element, Object buffer, int offset, int count, Object packed, int packedOffset) {
        if (element != ElementType.BOOLEAN) {
            layout.gather(buffer, offset, count, packed, packedOffset);
            return;
        }
        boolean[] values = (boolean[]) buffer;
        int from = offset;
        int elements = count * layout.size();
        if (!layout.isDense()) {
            values = new boolean[elements];
            layout.gather(buffer, offset, count, values, 0);
            from = 0;
        }
        byte[] bytes = (byte[]) packed;
        for (int i = 0; i < elements; i++) {
            bytes[packedOffset + i] = values[from + i] ? (byte) 1 : 0;
        }
    }

    /** As {@link #pack}, into a new array. */
    public static Object pack(Layout layout, ElementType element, Object buffer, int offset, int count) {
        Object packed = allocate(layout, element, count);
        pack(layout, element, buffer, offset, count, packed, 0);
        return packed;
    }

    /**
     * Scatters the first {@code elements} elements of {@code packed} to where they belong in {@code buffer}; everything
     * else there is left alone.
     */
    public static void unpack(
            Layout layout,
            ElementType element,
            Object packed,
            int packedOffset,
            int elements,
            Object buffer,
            int offset) {
        if (element != ElementType.BOOLEAN) {
            layout.scatter(packed, packedOffset, elements, buffer, offset);
            return;
        }
        byte[] bytes = (byte[]) packed;
        boolean[] values = layout.isDense() ? (boolean[]) buffer : new boolean[elements];
        int to = layout.isDense() ? offset : 0;
        for (int i = 0; i < elements; i++) {
            values[to + i] = bytes[packedOffset + i] != 0;
        }
        if (!layout.isDense()) {
            layout.scatter(values, 0, elements, buffer, offset);
        }
    }
}
