package org.galerna.memory;

import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.memory.MemoryCopy;

/** The side of a {@link ByteRing} that writes; one thread at a time. No method blocks. */
public final class ByteRingProducer {
    private final MemorySegment indexes;
    private final MemorySegment data;
    private final int capacity;
    private final int step;

    private long tail; // own, as stored last
    private long head; // the other side's, as seen last

    /**
     * The side that writes, at the beginning of the stream.
     *
     * @param indexes {@value ByteRing#HEADER_BYTES} bytes, zero
     * @param data a power of two of bytes
     * @param step most bytes that are written before the other side gets to see them, so that it can copy while this side
     *     goes on
     */
    public ByteRingProducer(MemorySegment indexes, MemorySegment data, int step) {
        ByteRing.check(indexes, data);
        this.indexes = indexes;
        this.data = data;
        this.capacity = (int) data.byteSize();
        this.step = Math.min(step, capacity);
    }

    /**
     * Bytes that can be written now.
     *
     * @throws RingViolationException if the other side has stored what it cannot have read
     */
    public int space() {
        head = (long) ByteRing.INDEX.getAcquire(indexes, ByteRing.HEAD);
        long used = tail - head;
        if (used < 0 || used > capacity) {
            throw new RingViolationException(
                    "the reader of a ring says that it is at byte " + head + ", the writer is at " + tail);
        }
        return capacity - (int) used;
    }

    /**
     * Writes what there is room for, at most a step, and lets the other side see it.
     *
     * @return number of bytes, 0 if there is no room
     * @throws RingViolationException as {@link #space}
     */
    public int write(byte[] source, int offset, int length) {
        int count = room(Math.min(length, step));
        int at = (int) tail & (capacity - 1);
        int first = Math.min(count, capacity - at);
        Buffers.copy(source, offset, data, at, first);
        if (first < count) {
            Buffers.copy(source, offset + first, data, 0, count - first);
        }
        publish(count);
        return count;
    }

    /** As {@link #write(byte[], int, int)}, from any memory. */
    public int write(MemorySegment source, long offset, long length) {
        int count = room((int) Math.min(length, step));
        int at = (int) tail & (capacity - 1);
        int first = Math.min(count, capacity - at);
        MemoryCopy.copy(source, offset, data, at, first);
        if (first < count) {
            MemoryCopy.copy(source, offset + first, data, 0, count - first);
        }
        publish(count);
        return count;
    }

    /** The smaller of {@code wanted} and the room that there is; asks the other side only if it has to. */
    private int room(int wanted) {
        int known = capacity - (int) (tail - head);
        return known >= wanted ? wanted : Math.min(wanted, space());
    }

    private void publish(int count) {
        if (count > 0) {
            tail += count;
            ByteRing.INDEX.setRelease(indexes, ByteRing.TAIL, tail);
        }
    }
}
