package org.galerna.memory;

/** Arithmetic of the data area of a {@link RecordRing}: positions in units of 64 bytes that count for ever, modulo 2³². */
final class DataArea {
    private DataArea() {}

    /** Where a record of {@code units} begins, claimed at {@code position}: a record never wraps, it skips the rest. */
    static int start(int position, int units, int capacity) {
        int index = position & (capacity - 1);
        return index + units <= capacity ? position : position + (capacity - index);
    }

    /** True if and only if units {@code start} to {@code start + units} are free when the consumer is at {@code head}. */
    static boolean fits(int start, int units, int head, int capacity) {
        int used = start + units - head;
        return used >= 0 && used <= capacity;
    }
}
