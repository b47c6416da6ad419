package org.galerna.mpi.object;

import java.lang.foreign.MemorySegment;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.memory.Buffers;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Packing;
import org.galerna.mpi.datatype.Staging;
import org.jspecify.annotations.Nullable;

/** Items of several types one behind the other in an array of bytes, to be sent as packed data. */
public final class PackedData {
    private final ObjectChannel objects;
    private final Staging staging;

    /** Packs and unpacks for one rank. */
    public PackedData(ObjectChannel objects, Staging staging) {
        this.objects = objects;
        this.staging = staging;
    }

    /** Bytes that items take. */
    public static int size(int count, Datatype type) {
        type.element();
        if (type.isObject()) {
            throw new DeviceException(ErrorClass.TYPE, "objects have no size before they are packed");
        }
        if (count < 0) {
            throw new DeviceException(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        return Math.multiplyExact(count, type.itemBytes());
    }

    /** A type of objects, which this has to be. */
    public static Datatype ofObjects(@Nullable Datatype type) {
        Datatype given = Datatype.checked(type);
        if (!given.isObject()) {
            throw new DeviceException(ErrorClass.TYPE, "only objects can be serialized, not " + given);
        }
        return given;
    }

    /** Serializes objects. */
    public byte[] serialize(Object buffer, int offset, int count, Datatype type) {
        ofObjects(type).check(buffer, offset, count);
        return objects.pack(type.layout(), (@Nullable Object[]) buffer, offset, count);
    }

    /** Packs items from {@code position} on; returns the position behind them. */
    public int pack(Object buffer, int offset, int count, Datatype type, byte[] out, int position) {
        type.check(buffer, offset, count);
        if (type.isObject()) {
            byte[] stream = serialize(buffer, offset, count, type);
            checkRange(out, position, stream.length);
            System.arraycopy(stream, 0, out, position, stream.length);
            return position + stream.length;
        }
        int bytes = size(count, type);
        checkRange(out, position, bytes);
        boolean plain = type.isBlock(count);
        Object packed = plain ? buffer : staging.pack(type.layout(), type.element(), buffer, offset, count);
        long start = plain ? type.startOf(offset) : 0;
        MemorySegment.copy(Buffers.segment(packed), start, MemorySegment.ofArray(out), position, bytes);
        if (!plain) {
            staging.give(type.elementOfOperation(), packed);
        }
        return position + bytes;
    }

    /** Unpacks items from {@code position} on; returns the position behind them. */
    public int unpack(byte[] in, int position, Object buffer, int offset, int count, Datatype type) {
        type.check(buffer, offset, count);
        if (type.isObject()) {
            checkRange(in, position, 0);
            return objects.unpack(in, position, type.layout(), (@Nullable Object[]) buffer, offset, count);
        }
        int bytes = size(count, type);
        checkRange(in, position, bytes);
        ElementType element = type.element();
        boolean plain = type.isBlock(count);
        Object packed = plain ? buffer : staging.take(type.layout(), element, count);
        long start = plain ? type.startOf(offset) : 0;
        MemorySegment.copy(MemorySegment.ofArray(in), position, Buffers.segment(packed), start, bytes);
        if (!plain) {
            Packing.unpack(
                    type.layout(), element, packed, 0, count * type.layout().size(), buffer, offset);
            staging.give(element, packed);
        }
        return position + bytes;
    }

    private static void checkRange(byte[] array, int position, int bytes) {
        if (position < 0 || position > array.length - bytes) {
            throw new DeviceException(
                    ErrorClass.ARG,
                    bytes + " packed bytes from position " + position + " on are not within the packed data of "
                            + array.length + " bytes");
        }
    }
}
