package org.galerna.memory;

import java.lang.foreign.MemorySegment;

/**
 * Elements of a primitive array with gaps between them, as one row of bytes: runs of {@code length} elements that begin
 * {@code stride} elements apart. Between ranks that share a heap it is a buffer of messages, copied from array to array
 * without a packed copy in between.
 *
 * <p>Positions are in bytes of the row, multiples of an element's; different threads may copy different parts at the same
 * time.
 */
public final class StridedArray {
    private static final int SCRATCH_BYTES = 8 * 1024; // of the first cache

    private final Object array;
    private final int elementBytes;
    private final int start;
    private final int length;
    private final int stride;
    private final long bytes;

    /**
     * A row of bytes.
     *
     * @param array of a primitive type other than {@code boolean}
     * @param start first element of the first run
     * @param length elements of a run
     * @param stride elements from the start of a run to that of the next
     * @param runs their number; all lie within the array
     */
    public StridedArray(Object array, int elementBytes, int start, int length, int stride, int runs) {
        this.array = array;
        this.elementBytes = elementBytes;
        this.start = start;
        this.length = length;
        this.stride = stride;
        this.bytes = (long) length * runs * elementBytes;
        Buffers.check(array, (long) start * elementBytes, (long) length * elementBytes);
        long last = start + (long) (runs - 1) * stride;
        Buffers.check(array, last * elementBytes, (long) length * elementBytes);
    }

    /** Bytes of the row. */
    public long byteSize() {
        return bytes;
    }

    /** Copies a part of the row into memory. */
    public void read(long position, MemorySegment target, long targetOffset, long count) {
        move(position, target, targetOffset, count, true);
    }

    /** Copies memory into a part of the row. */
    public void write(long position, MemorySegment source, long sourceOffset, long count) {
        move(position, source, sourceOffset, count, false);
    }

    /** Copies a part of this row to the same part of another. */
    public void copy(long position, StridedArray target, long count) {
        if (length == target.length && array.getClass() == target.array.getClass()) {
            copyRuns(Math.toIntExact(position / elementBytes), target, Math.toIntExact(count / elementBytes));
            return;
        }
        MemorySegment scratch = MemorySegment.ofArray(new long[(int) Math.min(SCRATCH_BYTES, count + 7) / Long.BYTES]);
        for (long done = 0; done < count; done += SCRATCH_BYTES) {
            long now = Math.min(SCRATCH_BYTES, count - done);
            read(position + done, scratch, 0, now);
            target.write(position + done, scratch, 0, now);
        }
    }

    /** Copies elements to a row with runs of the same length: part of a run, whole runs, part of a run. */
    private void copyRuns(int first, StridedArray target, int count) {
        int element = first;
        int left = count;
        while (left > 0) {
            int run = element / length;
            int inside = element % length;
            boolean whole = inside == 0 && left >= length;
            int part = whole ? length : Math.min(left, length - inside);
            int runs = whole ? left / length : 1;
            StridedCopy.copy(
                    elementBytes,
                    array,
                    start + run * stride + inside,
                    stride,
                    target.array,
                    target.start + run * target.stride + inside,
                    target.stride,
                    part,
                    runs);
            element += part * runs;
            left -= part * runs;
        }
    }

    /** Copies between the row and other memory, which lies side by side: part of a run, whole runs, part of a run. */
    private void move(long position, MemorySegment other, long otherOffset, long count, boolean out) {
        Object memory = other.asSlice(otherOffset, count);
        int at = 0;
        Object heap = other.heapBase().orElse(null);
        long inHeap = other.address() + otherOffset;
        if (heap != null && heap.getClass() == array.getClass() && inHeap % elementBytes == 0) {
            memory = heap; // loops over arrays are faster than over segments
            at = Math.toIntExact(inHeap / elementBytes);
        }
        int element = Math.toIntExact(position / elementBytes);
        int left = Math.toIntExact(count / elementBytes);
        while (left > 0) {
            int run = element / length;
            int inside = element % length;
            boolean whole = inside == 0 && left >= length;
            int part = whole ? length : Math.min(left, length - inside);
            int runs = whole ? left / length : 1;
            int own = start + run * stride + inside;
            if (out) {
                StridedCopy.copy(elementBytes, array, own, stride, memory, at, part, part, runs);
            } else {
                StridedCopy.copy(elementBytes, memory, at, part, array, own, stride, part, runs);
            }
            at += part * runs;
            element += part * runs;
            left -= part * runs;
        }
    }
}
