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
public final class Exporter extends FieldOutput {
    /** Objects within each other, at most. A cycle ends here, and not with the stack. */
    public static final int MAXIMUM_DEPTH = 256;

    /** Elements that take no byte, in all lists of a message together. */
    static final int MOST_EMPTY_ELEMENTS = 1 << 20;

    /** Objects within a message, however deep. */
    static final int MOST_OBJECTS = 1 << 27;

    /** Where an exporter gets room from when a piece is full. */
    @FunctionalInterface
    public interface Room {
        /**
         * Called when the piece is full and more is to be written. Takes the piece, and gives the next one by
         * {@link Exporter#begin}; or throws, which ends the object.
         */
        void next(Exporter exporter);
    }

    /** Bytes of an array that are worth a copy of their own. */
    private static final int DIRECT_BYTES = 256;

    private static final int MEASURED_BYTES = 256;

    private final Room room;
    private int depth;
    private int objects; // so far
    private int empty; // elements of lists so far that take no byte
    private MemorySegment view = MemorySegment.NULL;
    private byte[] viewed = {};

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
        return measure(value, serializer, Long.MAX_VALUE);
    }

    /**
     * Bytes that an object takes.
     *
     * @param most bytes that it may take
     * @throws IllegalArgumentException if it takes more: one that contains others again and again may be without end
     */
    public static <T> long measure(T value, Serializer<T> serializer, long most) {
        byte[] rubbish = new byte[MEASURED_BYTES];
        Exporter out = new Exporter(full -> {
            full.measured += full.written();
            full.checkMeasured(most);
            full.begin(rubbish, 0, MEASURED_BYTES);
        });
        out.measuring = true;
        out.begin(rubbish, 0, MEASURED_BYTES);
        serializer.write(value, out);
        out.checkMeasured(most);
        return out.measured + out.written();
    }

    private void checkMeasured(long most) {
        if (measured + written() > most) {
            throw new IllegalArgumentException("an object takes more than the " + most
                    + " bytes that a message may have: does it contain the same ones again and again?");
        }
    }

    @Override
    public void end() {
        super.end();
        depth = 0;
        objects = 0;
        empty = 0;
    }

    @Override
    void next() {
        if (!measuring) {
            earlier += written();
        }
        room.next(this);
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
        return copy(array, from, count, layout, size, piece);
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
        if (++objects > MOST_OBJECTS) {
            throw new IllegalArgumentException("a message has more than " + MOST_OBJECTS
                    + " objects: does one of them contain the same ones again and again?");
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
     * @throws IllegalArgumentException if one of them is null, or if more than 2²⁰ elements of a message's lists take no
     *     byte: no reader would read that
     */
    public <T> void writeList(@Nullable List<T> values, Serializer<T> serializer) {
        if (values == null) {
            writeNull();
            return;
        }
        int size = values.size();
        writeLength(size);
        for (int each = 0; each < size; each++) {
            T value = values.get(each);
            if (value == null) {
                throw new IllegalArgumentException(
                        "element " + each + " of an array or list is null, which only the array or list itself may be");
            }
            long before = total();
            writeObject(value, serializer);
            if (total() == before && ++empty > MOST_EMPTY_ELEMENTS) {
                throw new IllegalArgumentException("a list has " + size + " elements, and a message at most "
                        + MOST_EMPTY_ELEMENTS + " that take no byte");
            }
        }
    }
}
