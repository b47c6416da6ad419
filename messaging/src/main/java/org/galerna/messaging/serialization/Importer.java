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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an {@link Exporter} has written, wherever the pieces of memory that it comes in end. An object is complete
 * before its reading begins.
 *
 * <p>Nothing in the bytes is believed: counts are compared with what is left before anything is allocated for them, and
 * objects lie in each other {@value Exporter#MAXIMUM_DEPTH} deep at most. One thread at a time.
 */
public final class Importer extends FieldInput {
    /** Where an importer gets the next piece of an object from. */
    @FunctionalInterface
    public interface Source {
        /** Called at the end of a piece, if there is more; gives the next piece by {@link Importer#resume}. */
        void next(Importer importer);
    }

    private static final Source NOTHING = _ -> {
        throw new IllegalStateException("there is no next piece");
    };

    private byte[] characters = new byte[64];
    private Source source = NOTHING;
    private int depth;
    private int empty; // elements of lists so far that take no byte
    private MemorySegment view = MemorySegment.NULL;
    private byte[] viewed = {};

    /** An importer without anything to read. */
    public Importer() {}

    /**
     * Reads an object that lies in one piece.
     *
     * @param written version of its type at the sender
     */
    public void begin(byte[] piece, int offset, int length, int written) {
        begin(piece, offset, length, 0, NOTHING, written);
    }

    /**
     * Reads an object that lies in several pieces.
     *
     * @param following bytes in the pieces after the first one
     * @param pieces gives those pieces
     * @param written version of its type at the sender
     */
    public void begin(byte[] piece, int offset, int length, long following, Source pieces, int written) {
        start(piece, offset, length, following, written);
        if (source != pieces) { // a store of a reference costs more than the comparison
            source = pieces;
        }
        depth = 0;
        empty = 0;
    }

    @Override
    public void end() {
        super.end();
        source = NOTHING;
    }

    @Override
    void next() {
        source.next(this);
    }

    // ---- arrays

    /** Number of elements; -1 for null. */
    private int readLength(int elementBytes) {
        long length = readUnsigned() - 1;
        if (length < -1 || length > remaining() / elementBytes || length > Integer.MAX_VALUE - 8) {
            throw new MalformedMessageException("an array or string has " + length + " elements of at least "
                    + elementBytes + " bytes, where " + remaining() + " bytes are left");
        }
        return (int) length;
    }

    /** What {@link Exporter#writeBytes} has written. */
    public void readBytes(byte[] target, int from, int count) {
        elements(target, from, count, BYTE, 1);
    }

    /** What {@link Exporter#writeByteArray} has written. */
    public byte @Nullable [] readByteArray() {
        return readByteArray(null);
    }

    /** What {@link Exporter#writeByteArray} has written, in the given array if that has the right length. */
    public byte @Nullable [] readByteArray(byte @Nullable [] reused) {
        int length = readLength(1);
        if (length < 0) {
            return null;
        }
        byte[] values = reused != null && reused.length == length ? reused : new byte[length];
        elements(values, 0, length, BYTE, 1);
        return values;
    }

    /** What {@link Exporter#writeBooleanArray} has written. */
    public boolean @Nullable [] readBooleanArray() {
        int length = readLength(1);
        if (length < 0) {
            return null;
        }
        boolean[] values = new boolean[length];
        for (int each = 0; each < length; each++) {
            values[each] = readBoolean();
        }
        return values;
    }

    /** What {@link Exporter#writeShortArray} has written. */
    public short @Nullable [] readShortArray() {
        return readShortArray(null);
    }

    /** What {@link Exporter#writeShortArray} has written, in the given array if that has the right length. */
    public short @Nullable [] readShortArray(short @Nullable [] reused) {
        int length = readLength(Short.BYTES);
        if (length < 0) {
            return null;
        }
        short[] values = reused != null && reused.length == length ? reused : new short[length];
        elements(values, 0, length, SHORT, Short.BYTES);
        return values;
    }

    /** What {@link Exporter#writeCharArray} has written. */
    public char @Nullable [] readCharArray() {
        return readCharArray(null);
    }

    /** What {@link Exporter#writeCharArray} has written, in the given array if that has the right length. */
    public char @Nullable [] readCharArray(char @Nullable [] reused) {
        int length = readLength(Character.BYTES);
        if (length < 0) {
            return null;
        }
        char[] values = reused != null && reused.length == length ? reused : new char[length];
        elements(values, 0, length, CHAR, Character.BYTES);
        return values;
    }

    /** What {@link Exporter#writeIntArray} has written. */
    public int @Nullable [] readIntArray() {
        return readIntArray(null);
    }

    /** What {@link Exporter#writeIntArray} has written, in the given array if that has the right length. */
    public int @Nullable [] readIntArray(int @Nullable [] reused) {
        int length = readLength(Integer.BYTES);
        if (length < 0) {
            return null;
        }
        int[] values = reused != null && reused.length == length ? reused : new int[length];
        elements(values, 0, length, INT, Integer.BYTES);
        return values;
    }

    /** What {@link Exporter#writeLongArray} has written. */
    public long @Nullable [] readLongArray() {
        return readLongArray(null);
    }

    /** What {@link Exporter#writeLongArray} has written, in the given array if that has the right length. */
    public long @Nullable [] readLongArray(long @Nullable [] reused) {
        int length = readLength(Long.BYTES);
        if (length < 0) {
            return null;
        }
        long[] values = reused != null && reused.length == length ? reused : new long[length];
        elements(values, 0, length, LONG, Long.BYTES);
        return values;
    }

    /** What {@link Exporter#writeFloatArray} has written. */
    public float @Nullable [] readFloatArray() {
        return readFloatArray(null);
    }

    /** What {@link Exporter#writeFloatArray} has written, in the given array if that has the right length. */
    public float @Nullable [] readFloatArray(float @Nullable [] reused) {
        int length = readLength(Float.BYTES);
        if (length < 0) {
            return null;
        }
        float[] values = reused != null && reused.length == length ? reused : new float[length];
        elements(values, 0, length, FLOAT, Float.BYTES);
        return values;
    }

    /** What {@link Exporter#writeDoubleArray} has written. */
    public double @Nullable [] readDoubleArray() {
        return readDoubleArray(null);
    }

    /** What {@link Exporter#writeDoubleArray} has written, in the given array if that has the right length. */
    public double @Nullable [] readDoubleArray(double @Nullable [] reused) {
        int length = readLength(Double.BYTES);
        if (length < 0) {
            return null;
        }
        double[] values = reused != null && reused.length == length ? reused : new double[length];
        elements(values, 0, length, DOUBLE, Double.BYTES);
        return values;
    }

    private void elements(Object array, int from, int count, ValueLayout layout, int size) {
        int next = from;
        int left = count;
        while (left > 0) {
            int whole = Math.min(left, (limit - position) / size);
            if (whole > 0) {
                load(array, next, whole, layout, size);
            } else {
                one(array, next, size);
                whole = 1;
            }
            next += whole;
            left -= whole;
        }
    }

    private void load(Object array, int from, int count, ValueLayout layout, int size) {
        if (array instanceof byte[] bytes) {
            System.arraycopy(memory, position, bytes, from, count);
        } else {
            if (viewed != memory) {
                viewed = memory;
                view = MemorySegment.ofArray(memory);
            }
            MemorySegment.copy(view, layout, position, array, from, count);
        }
        position += count * size;
    }

    /** An element that lies in two pieces. */
    private void one(Object array, int index, int size) {
        long value = split(size);
        switch (array) {
            case byte[] values -> values[index] = (byte) value;
            case short[] values -> values[index] = (short) value;
            case char[] values -> values[index] = (char) value;
            case int[] values -> values[index] = (int) value;
            case long[] values -> values[index] = value;
            case float[] values -> values[index] = Float.intBitsToFloat((int) value);
            case double[] values -> values[index] = Double.longBitsToDouble(value);
            default -> throw new IllegalArgumentException(array.getClass().getName());
        }
    }

    // ---- strings

    /** What {@link Exporter#writeString} has written. */
    public @Nullable String readString() {
        int length = readLength(1);
        if (length < 0) {
            return null;
        }
        if (characters.length < length) {
            characters = Arrays.copyOf(characters, Math.max(length, Math.min(2 * characters.length, 1 << 16)));
        }
        byte[] bytes = characters;
        elements(bytes, 0, length, BYTE, 1);
        if (length > 1 << 16) {
            characters = new byte[64]; // one long string does not hold its memory for ever
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    // ---- objects

    /** What {@link Exporter#writeObject} has written. */
    public <T> T readObject(Serializer<T> serializer) {
        if (++depth > Exporter.MAXIMUM_DEPTH) {
            throw new MalformedMessageException(
                    "objects lie within each other more than " + Exporter.MAXIMUM_DEPTH + " deep");
        }
        T value = serializer.read(this, null);
        depth--;
        return value;
    }

    /** What {@link Exporter#writeNullable} has written. */
    public <T> @Nullable T readNullable(Serializer<T> serializer) {
        return readPresence() ? readObject(serializer) : null;
    }

    /** Whether there is a value, or null. */
    boolean readPresence() {
        byte present = readByte();
        if (present != 0 && present != 1) {
            throw new MalformedMessageException("an object is neither there nor null, but " + present);
        }
        return present == 1;
    }

    /** What {@link Exporter#writeList} has written; the list can be changed. */
    public <T> @Nullable List<T> readList(Serializer<T> serializer) {
        int size = readListSize();
        if (size < 0) {
            return null;
        }
        List<T> values = new ArrayList<>(Math.min(size, 1024));
        for (int each = 0; each < size; each++) {
            long before = remaining();
            values.add(readObject(serializer));
            if (remaining() == before && ++empty > Exporter.MOST_EMPTY_ELEMENTS) {
                throw new MalformedMessageException(
                        "lists have more than " + Exporter.MOST_EMPTY_ELEMENTS + " elements that take no byte");
            }
        }
        return values;
    }

    private int readListSize() {
        long size = readUnsigned() - 1;
        // elements may be empty, so that only a bound of their own holds
        if (size < -1 || size > Math.max(remaining(), Exporter.MOST_EMPTY_ELEMENTS) || size > Integer.MAX_VALUE - 8) {
            throw new MalformedMessageException(
                    "a list has " + size + " elements, where " + remaining() + " bytes are left");
        }
        return (int) size;
    }
}
