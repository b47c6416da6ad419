package org.galerna.messaging.serialization;

import static org.galerna.messaging.serialization.Layouts.BYTE;
import static org.galerna.messaging.serialization.Layouts.CHAR;
import static org.galerna.messaging.serialization.Layouts.DOUBLE;
import static org.galerna.messaging.serialization.Layouts.FLOAT;
import static org.galerna.messaging.serialization.Layouts.INT;
import static org.galerna.messaging.serialization.Layouts.LONG;
import static org.galerna.messaging.serialization.Layouts.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fields of an object, one after the other, into memory that somebody else owns: as a rule the outbound ring
 * of a connection. The bytes do not depend on where the pieces of that memory end: a value that does not fit into the
 * rest of a piece is continued in the next one.
 *
 * <p>Everything is little-endian and packed. Counts and compact integers take seven bits of a byte, the lowest first;
 * compact integers with a sign are zigzag-coded, so that small negative ones are short as well. Arrays, strings and lists
 * are a count plus one, and their elements; null is the count 0.
 *
 * <p>One thread at a time. No method allocates, none keeps what it is given.
 */
public final class Exporter {
    /** Objects within each other, at most. A cycle ends here, and not with the stack. */
    public static final int MAXIMUM_DEPTH = 256;

    /** Where an exporter gets room from when a piece is full. */
    @FunctionalInterface
    public interface Room {
        /**
         * Called when the piece is full and more is to be written. Takes the piece, and gives the next one by
         * {@link Exporter#begin}; or throws, which ends the object.
         */
        void next(Exporter exporter);
    }

    private final Room room;
    private final MemorySegment scratch = MemorySegment.ofArray(new byte[Long.BYTES]);
    private MemorySegment memory = MemorySegment.NULL;
    private long start;
    private long position;
    private long limit;
    private int depth;

    /** An exporter without a piece; {@link #begin} gives it the first one. */
    public Exporter(Room room) {
        this.room = room;
    }

    /** Goes on at the beginning of a piece of memory, at least one byte long. */
    public void begin(MemorySegment piece, long offset, long length) {
        memory = piece;
        start = offset;
        position = offset;
        limit = offset + length;
    }

    /** Ends what was begun, whether it is complete or not. */
    public void end() {
        memory = MemorySegment.NULL;
        start = 0;
        position = 0;
        limit = 0;
        depth = 0;
    }

    /** Bytes written into the current piece. */
    public int written() {
        return (int) (position - start);
    }

    private void nextPiece() {
        room.next(this);
    }

    // ---- primitives

    /** One byte. */
    public void writeByte(byte value) {
        if (position == limit) {
            nextPiece();
        }
        memory.set(BYTE, position++, value);
    }

    /** One byte: 1 or 0. */
    public void writeBoolean(boolean value) {
        writeByte((byte) (value ? 1 : 0));
    }

    /** Two bytes. */
    public void writeShort(short value) {
        long at = position;
        if (limit - at >= Short.BYTES) {
            memory.set(SHORT, at, value);
            position = at + Short.BYTES;
        } else {
            split(value, Short.BYTES);
        }
    }

    /** Two bytes. */
    public void writeChar(char value) {
        long at = position;
        if (limit - at >= Character.BYTES) {
            memory.set(CHAR, at, value);
            position = at + Character.BYTES;
        } else {
            split(value, Character.BYTES);
        }
    }

    /** Four bytes. */
    public void writeInt(int value) {
        long at = position;
        if (limit - at >= Integer.BYTES) {
            memory.set(INT, at, value);
            position = at + Integer.BYTES;
        } else {
            split(value, Integer.BYTES);
        }
    }

    /** Eight bytes. */
    public void writeLong(long value) {
        long at = position;
        if (limit - at >= Long.BYTES) {
            memory.set(LONG, at, value);
            position = at + Long.BYTES;
        } else {
            split(value, Long.BYTES);
        }
    }

    /** Four bytes. */
    public void writeFloat(float value) {
        long at = position;
        if (limit - at >= Float.BYTES) {
            memory.set(FLOAT, at, value);
            position = at + Float.BYTES;
        } else {
            split(Float.floatToRawIntBits(value), Float.BYTES);
        }
    }

    /** Eight bytes. */
    public void writeDouble(double value) {
        long at = position;
        if (limit - at >= Double.BYTES) {
            memory.set(DOUBLE, at, value);
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
        int next = from;
        int left = count;
        while (left > 0) {
            int fitting = (int) Math.min(left, (limit - position) / size);
            if (fitting > 0) {
                MemorySegment.copy(array, next, memory, layout, position, fitting);
                position += (long) fitting * size;
                next += fitting;
                left -= fitting;
            } else {
                MemorySegment.copy(array, next, scratch, layout, 0, 1);
                for (int each = 0; each < size; each++) {
                    writeByte(scratch.get(BYTE, each));
                }
                next++;
                left--;
            }
        }
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
            long at = position;
            for (int each = 0; each < chars; each++) {
                char unit = value.charAt(each);
                // what takes one byte and is not ASCII is half a pair
                memory.set(BYTE, at + each, (byte) (unit < 0x80 ? unit : '?'));
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

    /** A list of objects, none of them null; or null. */
    public <T> void writeList(@Nullable List<T> values, Serializer<T> serializer) {
        if (values == null) {
            writeNull();
            return;
        }
        int size = values.size();
        writeLength(size);
        for (int each = 0; each < size; each++) {
            writeObject(values.get(each), serializer);
        }
    }
}
