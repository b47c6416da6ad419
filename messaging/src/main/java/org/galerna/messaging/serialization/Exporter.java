package org.galerna.messaging.serialization;

import static org.galerna.messaging.serialization.Layouts.BYTE;
import static org.galerna.messaging.serialization.Layouts.CHAR;
import static org.galerna.messaging.serialization.Layouts.CHARS;
import static org.galerna.messaging.serialization.Layouts.DOUBLE;
import static org.galerna.messaging.serialization.Layouts.DOUBLES;
import static org.galerna.messaging.serialization.Layouts.FLOAT;
import static org.galerna.messaging.serialization.Layouts.FLOATS;
import static org.galerna.messaging.serialization.Layouts.INT;
import static org.galerna.messaging.serialization.Layouts.INTS;
import static org.galerna.messaging.serialization.Layouts.LONG;
import static org.galerna.messaging.serialization.Layouts.LONGS;
import static org.galerna.messaging.serialization.Layouts.SHORT;
import static org.galerna.messaging.serialization.Layouts.SHORTS;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fields of an object, one after the other, into memory that somebody else owns. The bytes do not depend on
 * where the pieces of that memory end: a value that does not fit into the rest of a piece is continued in the next one.
 *
 * <p>Fields are always stored into an array of bytes. What a store into a {@link MemorySegment} costs depends on how many
 * kinds of segments the whole program uses; one into an array does not, and is checked by one comparison. A piece outside
 * the heap is reached through a small array that stays in the cache, and long arrays are copied there directly.
 *
 * <p>Everything is little-endian and packed. Counts and compact integers take seven bits of a byte, the lowest first;
 * compact integers with a sign are zigzag-coded, so that small negative ones are short as well. Arrays, strings and lists
 * are a count plus one, and their elements; null is the count 0.
 *
 * <p>One thread at a time. Nothing is allocated for each field or object, and nothing kept that is given.
 */
public final class Exporter {
    /** Objects within each other, at most. A cycle ends here, and not with the stack. */
    public static final int MAXIMUM_DEPTH = 256;

    /** Elements that a list may have without a byte for each of them. */
    static final int MOST_EMPTY_ELEMENTS = 1 << 20;

    /** Where an exporter gets room from when a piece is full. */
    @FunctionalInterface
    public interface Room {
        /**
         * Called when the piece is full and more is to be written. Takes the piece, and gives the next one by
         * {@link Exporter#begin}; or throws, which ends the object.
         */
        void next(Exporter exporter);
    }

    /** Fields of a piece outside the heap that are copied there together, in bytes. */
    private static final int STAGED_BYTES = 512;

    /** Bytes of an array that are worth a copy of their own. */
    private static final int DIRECT_BYTES = 256;

    private static final int MEASURED_BYTES = 256;

    private static final byte[] NOWHERE = {};

    private final Room room;
    private byte[] memory = NOWHERE;
    private int start;
    private int position;
    private int limit;
    private int depth;
    private MemorySegment view = MemorySegment.NULL;
    private byte[] viewed = NOWHERE;

    // of a piece outside the heap
    private @Nullable MemorySegment target;
    private byte[] staged = NOWHERE;
    private long targetPosition;
    private long targetLimit;
    private int drained;

    private long earlier; // bytes of the pieces before this one

    // of one that only measures
    private boolean measuring;
    private long measured;

    /** An exporter without a piece; {@link #begin} gives it the first one. */
    public Exporter(Room room) {
        this.room = room;
    }

    /** Bytes that an object takes. */
    public static <T> long measure(T value, Serializer<T> serializer) {
        byte[] rubbish = new byte[MEASURED_BYTES];
        Exporter out = new Exporter(full -> {
            full.measured += full.written();
            full.begin(rubbish, 0, MEASURED_BYTES);
        });
        out.measuring = true;
        out.begin(rubbish, 0, MEASURED_BYTES);
        serializer.write(value, out);
        return out.measured + out.written();
    }

    /** Goes on in a part of an array, at least one byte long. */
    public void begin(byte[] piece, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, piece.length);
        if (memory != piece) { // a store of a reference costs more than the comparison
            memory = piece;
        }
        if (target != null) {
            target = null;
        }
        start = offset;
        position = offset;
        limit = offset + length;
        drained = 0;
    }

    /** Goes on in a piece of memory, at least one byte long. What was written is there after {@link #flush}. */
    public void begin(MemorySegment piece, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, piece.byteSize());
        if (staged.length == 0) {
            staged = new byte[STAGED_BYTES];
        }
        memory = staged;
        target = piece;
        targetPosition = offset;
        targetLimit = offset + length;
        start = 0;
        position = 0;
        limit = (int) Math.min(STAGED_BYTES, length);
        drained = 0;
    }

    /** Brings what was written into the current piece, if that lies outside the heap. */
    public void flush() {
        MemorySegment piece = target;
        if (piece != null) {
            drain(piece);
        }
    }

    /** Ends what was begun, whether it is complete or not. */
    public void end() {
        memory = NOWHERE;
        target = null;
        start = 0;
        position = 0;
        limit = 0;
        drained = 0;
        depth = 0;
    }

    /** Bytes written into the current piece. */
    public int written() {
        return drained + position - start;
    }

    private void nextPiece() {
        MemorySegment piece = target;
        if (piece != null) {
            drain(piece);
            if (limit > 0) {
                return;
            }
        }
        if (!measuring) {
            earlier += written();
        }
        room.next(this);
    }

    private void drain(MemorySegment piece) {
        int bytes = position;
        MemorySegment.copy(memory, 0, piece, BYTE, targetPosition, bytes);
        passed(bytes);
    }

    /** So many bytes more are in the piece outside the heap. */
    private void passed(int bytes) {
        targetPosition += bytes;
        drained += bytes;
        position = 0;
        limit = (int) Math.min(STAGED_BYTES, targetLimit - targetPosition);
    }

    // ---- primitives

    /** One byte. */
    public void writeByte(byte value) {
        if (position == limit) {
            nextPiece();
        }
        memory[position++] = value;
    }

    /** One byte: 1 or 0. */
    public void writeBoolean(boolean value) {
        writeByte((byte) (value ? 1 : 0));
    }

    /** Two bytes. */
    public void writeShort(short value) {
        int at = position;
        if (limit - at >= Short.BYTES) {
            SHORTS.set(memory, at, value);
            position = at + Short.BYTES;
        } else {
            split(value, Short.BYTES);
        }
    }

    /** Two bytes. */
    public void writeChar(char value) {
        int at = position;
        if (limit - at >= Character.BYTES) {
            CHARS.set(memory, at, value);
            position = at + Character.BYTES;
        } else {
            split(value, Character.BYTES);
        }
    }

    /** Four bytes. */
    public void writeInt(int value) {
        int at = position;
        if (limit - at >= Integer.BYTES) {
            INTS.set(memory, at, value);
            position = at + Integer.BYTES;
        } else {
            split(value, Integer.BYTES);
        }
    }

    /** Eight bytes. */
    public void writeLong(long value) {
        int at = position;
        if (limit - at >= Long.BYTES) {
            LONGS.set(memory, at, value);
            position = at + Long.BYTES;
        } else {
            split(value, Long.BYTES);
        }
    }

    /** Four bytes. */
    public void writeFloat(float value) {
        int at = position;
        if (limit - at >= Float.BYTES) {
            FLOATS.set(memory, at, value);
            position = at + Float.BYTES;
        } else {
            split(Float.floatToRawIntBits(value), Float.BYTES);
        }
    }

    /** Eight bytes. */
    public void writeDouble(double value) {
        int at = position;
        if (limit - at >= Double.BYTES) {
            DOUBLES.set(memory, at, value);
            position = at + Double.BYTES;
        } else {
            split(Double.doubleToRawLongBits(value), Double.BYTES);
        }
    }

    private void split(long value, int bytes) {
        for (int each = 0; each < bytes; each++) {
            writeByte((byte) (value >>> (each * Byte.SIZE)));
        }
    }

    /** One to five bytes; few for numbers near 0, negative ones too. */
    public void writeCompactInt(int value) {
        writeUnsigned(((value << 1) ^ (value >> 31)) & 0xffffffffL);
    }

    /** One to ten bytes; few for numbers near 0, negative ones too. */
    public void writeCompactLong(long value) {
        writeUnsigned((value << 1) ^ (value >> 63));
    }

    /**
     * A number of things: one to five bytes.
     *
     * @param count not negative
     */
    public void writeCount(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("a count is not negative, as " + count + " is");
        }
        writeUnsigned(count);
    }

    private void writeUnsigned(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            writeByte((byte) (rest | 0x80));
            rest >>>= 7;
        }
        writeByte((byte) rest);
    }

    // ---- arrays

    private void writeLength(int length) {
        writeUnsigned(length + 1L);
    }

    private void writeNull() {
        writeByte((byte) 0);
    }

    /** A part of an array, without its length: the reader has to know it. */
    public void writeBytes(byte[] values, int from, int count) {
        elements(values, from, count, BYTE, 1);
    }

    /** An array or null. */
    public void writeByteArray(byte @Nullable [] values) {
        if (values == null) {
            writeNull();
            return;
        }
        writeLength(values.length);
        elements(values, 0, values.length, BYTE, 1);
    }

    /** An array or null, a byte for each element. */
    public void writeBooleanArray(boolean @Nullable [] values) {
        if (values == null) {
            writeNull();
            return;
        }
        writeLength(values.length);
        for (boolean value : values) {
            writeBoolean(value);
        }
    }

    /** An array or null. */
    public void writeShortArray(short @Nullable [] values) {
        if (values == null) {
            writeNull();
            return;
        }
        writeLength(values.length);
        elements(values, 0, values.length, SHORT, Short.BYTES);
    }

    /** An array or null. */
    public void writeCharArray(char @Nullable [] values) {
        if (values == null) {
            writeNull();
            return;
        }
        writeLength(values.length);
        elements(values, 0, values.length, CHAR, Character.BYTES);
    }

    /** An array or null. */
    public void writeIntArray(int @Nullable [] values) {
        if (values == null) {
            writeNull();
            return;
        }
        writeLength(values.length);
        elements(values, 0, values.length, INT, Integer.BYTES);
    }

    /** An array or null. */
    public void writeLongArray(long @Nullable [] values) {
        if (values == null) {
            writeNull();
            return;
        }
        writeLength(values.length);
        elements(values, 0, values.length, LONG, Long.BYTES);
    }

    /** An array or null. */
    public void writeFloatArray(float @Nullable [] values) {
        if (values == null) {
            writeNull();
            return;
        }
        writeLength(values.length);
        elements(values, 0, values.length, FLOAT, Float.BYTES);
    }

    /** An array or null. */
    public void writeDoubleArray(double @Nullable [] values) {
        if (values == null) {
            writeNull();
            return;
        }
        writeLength(values.length);
        elements(values, 0, values.length, DOUBLE, Double.BYTES);
    }

    private void elements(Object array, int from, int count, ValueLayout layout, int size) {
        if (measuring) {
            Objects.checkFromIndexSize(from, count, Array.getLength(array));
            measured += (long) count * size;
            return;
        }
        int next = from;
        int left = count;
        while (left > 0) {
            int copied = (long) left * size >= DIRECT_BYTES ? directly(array, next, left, layout, size) : 0;
            if (copied == 0) {
                copied = Math.min(left, (limit - position) / size);
                store(array, next, copied, layout, size);
            }
            if (copied == 0) {
                one(array, next, size);
                copied = 1;
            }
            next += copied;
            left -= copied;
        }
    }

    /** Copies elements to where they belong outside the heap; returns how many. */
    private int directly(Object array, int from, int count, ValueLayout layout, int size) {
        MemorySegment piece = target;
        if (piece == null) {
            return 0;
        }
        drain(piece);
        int fitting = (int) Math.min(count, (targetLimit - targetPosition) / size);
        MemorySegment.copy(array, from, piece, layout, targetPosition, fitting);
        passed(fitting * size);
        return fitting;
    }

    private void store(Object array, int from, int count, ValueLayout layout, int size) {
        if (array instanceof byte[] bytes) {
            System.arraycopy(bytes, from, memory, position, count);
        } else {
            if (viewed != memory) {
                viewed = memory;
                view = MemorySegment.ofArray(memory);
            }
            MemorySegment.copy(array, from, view, layout, position, count);
        }
        position += count * size;
    }

    /** An element that goes into two pieces. */
    private void one(Object array, int index, int size) {
        split(
                switch (array) {
                    case byte[] values -> values[index];
                    case short[] values -> values[index];
                    case char[] values -> values[index];
                    case int[] values -> values[index];
                    case long[] values -> values[index];
                    case float[] values -> Float.floatToRawIntBits(values[index]);
                    case double[] values -> Double.doubleToRawLongBits(values[index]);
                    default ->
                        throw new IllegalArgumentException(array.getClass().getName());
                },
                size);
    }

    // ---- strings

    /** A string or null, in UTF-8. Half a surrogate pair becomes a question mark, as everywhere in Java. */
    public void writeString(@Nullable String value) {
        if (value == null) {
            writeNull();
            return;
        }
        int chars = value.length();
        int bytes = Utf8.length(value);
        writeUnsigned(bytes + 1L);
        if (bytes == chars && limit - position >= bytes) {
            int at = position;
            for (int each = 0; each < chars; each++) {
                char unit = value.charAt(each);
                // what takes one byte and is not ASCII is half a pair
                memory[at + each] = (byte) (unit < 0x80 ? unit : '?');
            }
            position = at + bytes;
        } else {
            Utf8.write(value, this);
        }
    }

    // ---- objects

    /** An object within this one. */
    public <T> void writeObject(T value, Serializer<T> serializer) {
        if (++depth > MAXIMUM_DEPTH) {
            throw new IllegalArgumentException("objects lie within each other more than " + MAXIMUM_DEPTH
                    + " deep: does one of them contain itself?");
        }
        serializer.write(value, this);
        depth--;
    }

    /** An object within this one, or null. */
    public <T> void writeNullable(@Nullable T value, Serializer<T> serializer) {
        if (value == null) {
            writeNull();
            return;
        }
        writeByte((byte) 1);
        writeObject(value, serializer);
    }

    private long total() {
        return earlier + measured + written();
    }

    /**
     * A list of objects, none of them null; or null.
     *
     * @throws IllegalArgumentException if one of them is null, or if they take less than a byte each on the average and are
     *     more than 2²⁰: no reader could read that
     */
    public <T> void writeList(@Nullable List<T> values, Serializer<T> serializer) {
        if (values == null) {
            writeNull();
            return;
        }
        int size = values.size();
        writeLength(size);
        long before = total();
        for (int each = 0; each < size; each++) {
            T value = values.get(each);
            if (value == null) {
                throw new IllegalArgumentException(
                        "element " + each + " of an array or list is null, which only the array or list itself may be");
            }
            writeObject(value, serializer);
        }
        if (size > MOST_EMPTY_ELEMENTS && total() - before < size) {
            throw new IllegalArgumentException("a list has " + size + " elements that take " + (total() - before)
                    + " bytes together; with less than a byte for each it may have " + MOST_EMPTY_ELEMENTS);
        }
    }
}
