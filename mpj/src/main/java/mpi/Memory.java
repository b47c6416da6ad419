package mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Locale;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap that {@link MPI#allocate} has handed out, zeroed at first. A buffer of messages like an array,
 * as it is, by its {@link #segment} or by its {@link #buffer}. Where ranks share memory, the receiver of a large message
 * reads it there, and one copy is saved; elsewhere it is plain memory.
 *
 * <p>It is the program's until {@link #close} or {@link MPI#Finalize}. Any thread may use it.
 */
public final class Memory implements AutoCloseable {
    private final Session session;
    private final Arena arena;
    private final MemorySegment segment;

    Memory(Session session, long bytes) {
        if (bytes < 1) {
            throw Errors.wrong(ErrorClass.ARG, "at least 1 byte can be allocated, not " + bytes);
        }
        this.session = session;
        this.arena = Arena.ofShared();
        try {
            this.segment = session.device().allocate(bytes, arena);
        } catch (OutOfMemoryError none) {
            throw Errors.wrong(ErrorClass.OTHER, "there are no " + bytes + " bytes of memory: " + none.getMessage());
        }
        session.keep(arena);
    }

    /** Its size in bytes. */
    public long size() {
        return segment.byteSize();
    }

    /** The memory. */
    public MemorySegment segment() {
        return segment;
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
        return segment.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /**
     * Gives the memory back; its segment and its buffers cannot be used any more. No effect if that has been done.
     *
     * @throws MPIException if an operation of the system is under way in it
     */
    @Override
    public void close() throws MPIException {
        if (session.forget(arena)) {
            try {
                arena.close();
            } catch (IllegalStateException busy) {
                session.keep(arena);
                throw Errors.failed("Memory.close", Errors.wrong(ErrorClass.BUFFER, "the memory is in use: " + busy));
            }
        }
    }

    /** How much, and whether it has been given back. */
    @Override
    public String toString() {
        return size() + " bytes" + (segment.scope().isAlive() ? "" : ", given back");
    }

    /**
     * What a device takes in place of a buffer of a program: arrays and segments are taken as they are; buffers of
     * {@code java.nio} stand for all that lies before their limit, whatever their position.
     */
    static Object behind(Object buffer, @Nullable Datatype type) {
        if (buffer instanceof Memory memory) {
            return memory.segment;
        }
        if (buffer instanceof Buffer view) {
            return behind(view, type);
        }
        return buffer instanceof mpjbuf.Buffer packed && type == Constants.PACKED ? packed.array() : buffer;
    }

    private static Object behind(Buffer view, @Nullable Datatype type) {
        ElementType element = type == null ? null : type.layout.element();
        ElementType own = elementOf(view);
        if (element != null && own != ElementType.BYTE && own != element) {
            throw Errors.wrong(
                    ErrorClass.TYPE,
                    "the buffer is a " + kind(view) + ", but " + type + " needs "
                            + (element.isPlain() ? "one of its own kind, or a ByteBuffer" : "an array"));
        }
        if (element != null && element.bytes() > 1 && orderOf(view) != ByteOrder.nativeOrder()) {
            throw Errors.wrong(
                    ErrorClass.BUFFER,
                    "the " + kind(view) + " has the order of bytes " + orderOf(view)
                            + ", but messages travel as they lie in memory, in the order " + ByteOrder.nativeOrder()
                            + "; set it by order(ByteOrder.nativeOrder())");
        }
        return MemorySegment.ofBuffer(view.duplicate().position(0));
    }

    private static ElementType elementOf(Buffer view) {
        return switch (view) {
            case ByteBuffer _ -> ElementType.BYTE;
            case CharBuffer _ -> ElementType.CHAR;
            case ShortBuffer _ -> ElementType.SHORT;
            case IntBuffer _ -> ElementType.INT;
            case LongBuffer _ -> ElementType.LONG;
            case FloatBuffer _ -> ElementType.FLOAT;
            case DoubleBuffer _ -> ElementType.DOUBLE;
        };
    }

    private static ByteOrder orderOf(Buffer view) {
        return switch (view) {
            case ByteBuffer bytes -> bytes.order();
            case CharBuffer chars -> chars.order();
            case ShortBuffer shorts -> shorts.order();
            case IntBuffer ints -> ints.order();
            case LongBuffer longs -> longs.order();
            case FloatBuffer floats -> floats.order();
            case DoubleBuffer doubles -> doubles.order();
        };
    }

    private static String kind(Buffer view) {
        String element = elementOf(view).toString();
        return element.charAt(0) + element.substring(1).toLowerCase(Locale.ROOT) + "Buffer";
    }

    /** Number of elements of a type that lie in a segment; checks that such elements can. */
    static long elements(MemorySegment segment, ElementType element, Datatype type) {
        if (!element.isPlain()) {
            throw Errors.wrong(
                    ErrorClass.TYPE,
                    "the buffer is memory, but " + type + " needs a "
                            + element.arrayClass().getTypeName());
        }
        if (!segment.scope().isAlive()) {
            throw Errors.wrong(ErrorClass.BUFFER, "the buffer's memory has been given back");
        }
        return segment.byteSize() / element.bytes();
    }
}
