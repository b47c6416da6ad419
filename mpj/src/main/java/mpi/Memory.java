package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.session.MessageMemory;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap that {@link MPI#allocate} has handed out, zeroed at first. A buffer of messages like an array,
 * as it is, by its {@link #segment} or by its {@link #buffer}. Where ranks share memory, the receiver of a large message
 * reads it there, and one copy is saved; elsewhere it is plain memory.
 *
 * <p>It is the program's until {@link #close} or {@link MPI#Finalize}. Any thread may use it.
 */
public final class Memory implements AutoCloseable {
    private final MessageMemory inside;

    Memory(MessageMemory inside) {
        this.inside = inside;
    }

    /** Its size in bytes. */
    public long size() {
        return segment().byteSize();
    }

    /** The memory. */
    public MemorySegment segment() {
        return inside.segment();
    }

    /**
     * The memory as a direct buffer, in native order; a new one for each call, with a position of its own.
     *
     * @throws MPIException if there are more bytes than a buffer can have, 2³¹ - 1
     */
    public ByteBuffer buffer() throws MPIException {
        if (size() > Integer.MAX_VALUE) {
            throw Errors.failed(
                    "Memory.buffer",
                    Errors.wrong(ErrorClass.COUNT, size() + " bytes are more than a buffer can have; use the segment"));
        }
        return segment().asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /**
     * Gives the memory back; its segment and its buffers cannot be used any more. No effect if that has been done.
     *
     * @throws MPIException if an operation of the system is under way in it
     */
    @Override
    public void close() throws MPIException {
        try {
            inside.close();
        } catch (RuntimeException failure) {
            throw Errors.failed("Memory.close", failure);
        }
    }

    /** How much, and whether it has been given back. */
    @Override
    public String toString() {
        return inside.toString();
    }

    /** What the engine takes in place of a buffer that only this API has. */
    static Object unwrapped(Object buffer, @Nullable Object type) {
        if (buffer instanceof Memory memory) {
            return memory.segment();
        }
        return buffer instanceof mpjbuf.Buffer packed && type == Constants.PACKED.inside ? packed.array() : buffer;
    }
}
