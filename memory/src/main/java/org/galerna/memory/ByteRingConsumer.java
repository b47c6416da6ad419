package org.galerna.memory;

import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.memory.MemoryCopy;

/** The side of a {@link ByteRing} that reads; one thread at a time. No method blocks. */
public final class ByteRingConsumer {
    private final MemorySegment indexes;
    private final MemorySegment data;
    private final int capacity;
    private final int step;

    private long head; // own, as stored last
    private long tail; // the other side's, as seen last

    /**
     * The side that reads, at the beginning of the stream.
     *
     * @param indexes {@value ByteRing#HEADER_BYTES} bytes, zero
     * @param data a power of two of bytes
     * @param step most bytes that are read before the other side gets their room back
     */
    public ByteRingConsumer(MemorySegment indexes, MemorySegment data, int step) {
        ByteRing.check(indexes, data);
        this.indexes = indexes;
        this.data = data;
        this.capacity = (int) data.byteSize();
        this.step = Math.min(step, capacity);
    }

    /**
     * Bytes that can be read now.
     *
     * @throws RingViolationException if the other side has stored what it cannot have written
     */
    public int available() {
        tail = (long) ByteRing.INDEX.getAcquire(indexes, ByteRing.TAIL);
        long unread = tail - head;
        if (unread < 0 || unread > capacity) {
            throw new RingViolationException(
                    "the writer of a ring says that it is at byte " + tail + ", the reader is at " + head);
        }
        return (int) unread;
    }

    /** Bytes of room that the other side has, as far as this side knows. */
    public int room() {
        return capacity - (int) (tail - head);
    }

    /**
     * Reads what is there, at most a step, and gives its room back.
     *
     * @return number of bytes, 0 if there are none
     * @throws RingViolationException as {@link #available}
     */
    public int read(byte[] target, int offset, int length) {
        int count = ready(Math.min(length, step));
        int at = (int) head & (capacity - 1);
        int first = Math.min(count, capacity - at);
        Buffers.copy(data, at, target, offset, first);
        if (first < count) {
            Buffers.copy(data, 0, target, offset + first, count - first);
        }
        release(count);
        return count;
    }

    /** As {@link #read(byte[], int, int)}, into any memory. */
    public int read(MemorySegment target, long offset, long length) {
        int count = ready((int) Math.min(length, step));
        int at = (int) head & (capacity - 1);
        int first = Math.min(count, capacity - at);
        MemoryCopy.copy(data, at, target, offset, first);
        if (first < count) {
            MemoryCopy.copy(data, 0, target, offset + first, count - first);
        }
        release(count);
        return count;
    }

    /** The smaller of {@code wanted} and the bytes that are there; asks the other side only if it has to. */
    private int ready(int wanted) {
        int known = (int) (tail - head);
        return known >= wanted ? wanted : Math.min(wanted, available());
    }

    private void release(int count) {
        if (count > 0) {
            head += count;
            ByteRing.INDEX.setRelease(indexes, ByteRing.HEAD, head);
        }
    }
}
