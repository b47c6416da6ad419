package org.galerna.messaging.serialization;

import static org.galerna.messaging.serialization.Layouts.BYTE;
import static org.galerna.messaging.serialization.Layouts.CHARS;
import static org.galerna.messaging.serialization.Layouts.DOUBLES;
import static org.galerna.messaging.serialization.Layouts.FLOATS;
import static org.galerna.messaging.serialization.Layouts.INTS;
import static org.galerna.messaging.serialization.Layouts.LONGS;
import static org.galerna.messaging.serialization.Layouts.SHORTS;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The pieces of memory that an {@link Exporter} fills, and single values in them, which may go into two pieces. */
abstract sealed class FieldOutput permits Exporter {
    /** Fields of a piece outside the heap that are copied there together, in bytes. */
    private static final int STAGED_BYTES = 512;

    private static final byte[] NOWHERE = {};

    byte[] memory = NOWHERE;
    int position;
    int limit;
    private int start;

    // of a piece outside the heap
    @Nullable
    MemorySegment target;

    private byte[] staged = NOWHERE;
    private long targetPosition;
    private long targetLimit;
    private int drained;

    FieldOutput() {}

    /** The piece is full: asks for the next one. */
    abstract void next();

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
        next();
    }

    final void drain(MemorySegment piece) {
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

    /** Copies elements of an array into the piece outside the heap, which was drained; returns how many. */
    final int copy(Object array, int from, int count, ValueLayout layout, int size, MemorySegment piece) {
        int fitting = (int) Math.min(count, (targetLimit - targetPosition) / size);
        MemorySegment.copy(array, from, piece, layout, targetPosition, fitting);
        passed(fitting * size);
        return fitting;
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

    final void split(long value, int bytes) {
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

    final void writeUnsigned(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            writeByte((byte) (rest | 0x80));
            rest >>>= 7;
        }
        writeByte((byte) rest);
    }
}
