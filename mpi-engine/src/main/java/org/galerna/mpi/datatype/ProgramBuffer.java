package org.galerna.mpi.datatype;

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
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** What programs give as buffers of messages: arrays, segments, and buffers of {@code java.nio}. */
public final class ProgramBuffer {
    private ProgramBuffer() {}

    /**
     * What a device takes in place of a buffer of a program: arrays and segments are taken as they are; buffers of
     * {@code java.nio} stand for all that lies before their limit, whatever their position.
     */
    public static Object behind(Object buffer, @Nullable Datatype type) {
        return buffer instanceof Buffer view ? behind(view, type) : buffer;
    }

    private static Object behind(Buffer view, @Nullable Datatype type) {
        ElementType element = type == null ? null : type.layout().element();
        ElementType own = elementOf(view);
        if (element != null && own != ElementType.BYTE && own != element) {
            throw new DeviceException(
                    ErrorClass.TYPE,
                    "the buffer is a " + kind(view) + ", but " + type + " needs "
                            + (element.isPlain() ? "one of its own kind, or a ByteBuffer" : "an array"));
        }
        if (element != null && element.bytes() > 1 && orderOf(view) != ByteOrder.nativeOrder()) {
            throw new DeviceException(
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
            throw new DeviceException(
                    ErrorClass.TYPE,
                    "the buffer is memory, but " + type + " needs " + Datatype.withArticle(element.arrayClass()));
        }
        if (!segment.scope().isAlive()) {
            throw new DeviceException(ErrorClass.BUFFER, "the buffer's memory has been given back");
        }
        return segment.byteSize() / element.bytes();
    }
}
