package org.galerna.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A stream of bytes in shared memory from one producer to one consumer, each of which may be in a process of its own:
 * what both have to know of it. The memory is two indexes on lines of their own, {@value #HEADER_BYTES} bytes, and an area
 * for data. It must be zero at the beginning.
 *
 * <p>The indexes count bytes from the beginning of the stream and never wrap; 64 bits last for centuries. The producer
 * owns the {@code tail}: the data before it is written. The consumer owns the {@code head}: the data before it has been
 * read, and its place is free. Each side remembers its own index and only stores it here; what it loads is the other
 * side's, and is checked before it is used, so that whatever the other side stores there, no access leaves the area.
 *
 * <p>Memory order. The producer writes data with plain stores and then stores the tail with release; the consumer loads
 * the tail with acquire and then reads the data: it sees all bytes before the tail. The consumer reads data and then
 * stores the head with release, which keeps the reads before it; the producer loads the head with acquire before it writes
 * to a place that was freed: no byte is overwritten before it was read. Nothing else is shared.
 */
public final class ByteRing {
    /** Bytes of the two indexes. */
    public static final long HEADER_BYTES = 256;

    /** Two cache lines: processors fetch lines in pairs. */
    static final long TAIL = 0;

    static final long HEAD = 128;

    static final VarHandle INDEX = ValueLayout.JAVA_LONG.varHandle();

    private ByteRing() {}

    /** Whether all bytes that were written have been read; for any thread, of either side. */
    public static boolean isEmpty(MemorySegment indexes) {
        long head = (long) INDEX.getAcquire(indexes, HEAD); // first: the tail may only have got further since
        return (long) INDEX.getAcquire(indexes, TAIL) == head;
    }

    /**
     * About how many bytes are written and not yet read; for any thread, of either side. Whatever the other side has stored
     * there is returned as it is, which may be no possible number.
     */
    public static long unread(MemorySegment indexes) {
        long head = (long) INDEX.getAcquire(indexes, HEAD); // first, as above
        return (long) INDEX.getAcquire(indexes, TAIL) - head;
    }

    /** Bytes that have been read so far; for any thread, of either side. Whatever is stored there is returned as it is. */
    public static long taken(MemorySegment indexes) {
        return (long) INDEX.getAcquire(indexes, HEAD);
    }

    static void check(MemorySegment indexes, MemorySegment data) {
        if (indexes.byteSize() < HEADER_BYTES || indexes.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "a ring's indexes need " + HEADER_BYTES + " aligned bytes, not " + indexes.byteSize());
        }
        long capacity = data.byteSize();
        if (Long.bitCount(capacity) != 1 || capacity < Long.BYTES || capacity > 1 << 30) {
            throw new IllegalArgumentException(
                    "the bytes of a ring are a power of two from 8 to 2^30, not " + capacity);
        }
    }
}
