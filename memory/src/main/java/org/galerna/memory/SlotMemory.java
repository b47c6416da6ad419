package org.galerna.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.Objects;
import org.galerna.nativeaccess.memory.RawMemory;

/**
 * Zeroed memory outside the heap in which threads show each other short values. Any thread may call. Offsets and lengths are in bytes, and
 * numbers in native order.
 *
 * <p>It does what a {@link MemorySegment} does, and gives the compiler a tenth of the code. A segment asks in each access for its kind, size,
 * scope and address, and whether it has been closed. Here the access goes through {@link RawMemory#ALL}, where all these are constants.
 *
 * <p>Argument for safety. Nothing can close the memory: it lives as long as {@link #memory} is reachable, and each access keeps this object
 * reachable until it is done. Each access checks its bounds once, against a size that never changes. Memory orders are those of the methods'
 * names, and come in pairs: what {@link #setRelease} has written is read by {@link #getAcquire}.
 */
public final class SlotMemory {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle ANY_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.varHandle().withInvokeExactBehavior();
    private static final VarHandle LONG_IN_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Whether all memory can be reached by its address; a constant to the compiler. */
    private static final boolean BY_ADDRESS = RawMemory.reaches(MemorySegment.NULL);

    private final MemorySegment memory;
    private final long bytes;
    /** Where the memory begins in {@link #space}. */
    private final long start;

    /**
     * New memory.
     *
     * @param bytes its size
     * @param alignment of its start, in bytes, a power of two of at least 8
     * @throws OutOfMemoryError if there is not so much
     */
    public SlotMemory(long bytes, long alignment) {
        this.bytes = bytes;
        memory = Arena.ofAuto().allocate(bytes, alignment);
        start = BY_ADDRESS ? memory.address() : 0;
    }

    private MemorySegment space() {
        return BY_ADDRESS ? RawMemory.ALL : memory;
    }

    /** The place in {@link #space} of 8 bytes that are inside this memory. */
    private long at(long offset) {
        return start + Objects.checkFromIndexSize(offset, Long.BYTES, bytes);
    }

    /**
     * Reads 8 bytes at a multiple of 8. If another thread has written them by {@link #setRelease}, this one sees all that the other one had
     * written before.
     *
     * @throws IndexOutOfBoundsException if they are not inside the memory, as all methods here
     */
    public long getAcquire(long offset) {
        try {
            return (long) LONG.getAcquire(space(), at(offset));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Writes 8 bytes at a multiple of 8, for {@link #getAcquire}. */
    public void setRelease(long offset, long value) {
        try {
            LONG.setRelease(space(), at(offset), value);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Reads 8 bytes that no thread writes meanwhile. */
    public long get(long offset) {
        try {
            return (long) ANY_LONG.get(space(), at(offset));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Writes 8 bytes that no other thread accesses meanwhile. */
    public void set(long offset, long value) {
        try {
            ANY_LONG.set(space(), at(offset), value);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Copies out of a buffer, see {@link Buffers}, to here, where no other thread accesses the bytes meanwhile.
     *
     * @throws IndexOutOfBoundsException if the bytes are not inside the buffer, or not inside the memory
     */
    public void write(Object buffer, long bufferOffset, long offset, long length) {
        if (length == Long.BYTES && buffer instanceof byte[] array) {
            set(offset, (long) LONG_IN_BYTES.get(array, (int) bufferOffset));
        } else {
            writeOther(buffer, bufferOffset, offset, length);
        }
    }

    /** In a method of its own, which is not inlined; it calls nothing more for a single number. */
    private void writeOther(Object buffer, long bufferOffset, long offset, long length) {
        if (length == Long.BYTES && (bufferOffset & 7) == 0) {
            if (buffer instanceof double[] array) {
                set(offset, Double.doubleToRawLongBits(array[(int) (bufferOffset >> 3)]));
                return;
            }
            if (buffer instanceof long[] array) {
                set(offset, array[(int) (bufferOffset >> 3)]);
                return;
            }
        }
        Objects.checkFromIndexSize(offset, length, bytes);
        Buffers.write(buffer, bufferOffset, memory, offset, length);
    }

    /** Copies from here into a buffer, as {@link #write} does the other way. */
    public void read(long offset, Object buffer, long bufferOffset, long length) {
        if (length == Long.BYTES && buffer instanceof byte[] array) {
            LONG_IN_BYTES.set(array, (int) bufferOffset, get(offset));
        } else {
            readOther(offset, buffer, bufferOffset, length);
        }
    }

    private void readOther(long offset, Object buffer, long bufferOffset, long length) {
        if (length == Long.BYTES && (bufferOffset & 7) == 0) {
            if (buffer instanceof double[] array) {
                array[(int) (bufferOffset >> 3)] = Double.longBitsToDouble(get(offset));
                return;
            }
            if (buffer instanceof long[] array) {
                array[(int) (bufferOffset >> 3)] = get(offset);
                return;
            }
        }
        Objects.checkFromIndexSize(offset, length, bytes);
        Buffers.read(memory, offset, buffer, bufferOffset, length);
    }
}
