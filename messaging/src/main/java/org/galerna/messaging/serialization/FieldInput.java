package org.galerna.messaging.serialization;

import static org.galerna.messaging.serialization.Layouts.CHARS;
import static org.galerna.messaging.serialization.Layouts.DOUBLES;
import static org.galerna.messaging.serialization.Layouts.FLOATS;
import static org.galerna.messaging.serialization.Layouts.INTS;
import static org.galerna.messaging.serialization.Layouts.LONGS;
import static org.galerna.messaging.serialization.Layouts.SHORTS;

import java.util.Objects;

/** The pieces of memory that an {@link Importer} reads, and single values in them, which may lie in two pieces. */
abstract sealed class FieldInput permits Importer {
    private static final byte[] NOWHERE = {};

    byte[] memory = NOWHERE;
    int position;
    int limit;
    private long beyond;
    private int version;

    FieldInput() {}

    final void start(byte[] piece, int offset, int length, long following, int written) {
        Objects.checkFromIndexSize(offset, length, piece.length);
        if (memory != piece) { // a store of a reference costs more than the comparison
            memory = piece;
        }
        position = offset;
        limit = offset + length;
        beyond = following;
        version = written;
    }

    /** Asks for the next piece. */
    abstract void next();

    /** Goes on in the next piece; by the {@link Importer.Source}. */
    public void resume(byte[] piece, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, piece.length);
        memory = piece;
        position = offset;
        limit = offset + length;
        beyond -= length;
    }

    /** Ends the reading, whether everything was read or not. */
    public void end() {
        memory = NOWHERE;
        position = 0;
        limit = 0;
        beyond = 0;
    }

    /** Version of the message's type that it was written by. */
    public int version() {
        return version;
    }

    /** What follows was written by this version of another type: a message within one. */
    public void beginVersion(int written) {
        version = written;
    }

    /** Bytes that have not been read yet. */
    public long remaining() {
        return limit - position + beyond;
    }

    /** Whether there is anything left: an older version of the type may have written fewer fields. */
    public boolean hasRemaining() {
        return position < limit || beyond > 0;
    }

    private void nextPiece() {
        if (beyond <= 0) {
            throw new MalformedMessageException("the message ends in the middle of a field");
        }
        next();
    }

    // ---- primitives

    /** What {@link Exporter#writeByte} has written. */
    public byte readByte() {
        while (position == limit) {
            nextPiece();
        }
        return memory[position++];
    }

    /** What {@link Exporter#writeBoolean} has written. */
    public boolean readBoolean() {
        return readByte() != 0;
    }

    /** What {@link Exporter#writeShort} has written. */
    public short readShort() {
        int at = position;
        if (limit - at >= Short.BYTES) {
            position = at + Short.BYTES;
            return (short) SHORTS.get(memory, at);
        }
        return (short) split(Short.BYTES);
    }

    /** What {@link Exporter#writeChar} has written. */
    public char readChar() {
        int at = position;
        if (limit - at >= Character.BYTES) {
            position = at + Character.BYTES;
            return (char) CHARS.get(memory, at);
        }
        return (char) split(Character.BYTES);
    }

    /** What {@link Exporter#writeInt} has written. */
    public int readInt() {
        int at = position;
        if (limit - at >= Integer.BYTES) {
            position = at + Integer.BYTES;
            return (int) INTS.get(memory, at);
        }
        return (int) split(Integer.BYTES);
    }

    /** What {@link Exporter#writeLong} has written. */
    public long readLong() {
        int at = position;
        if (limit - at >= Long.BYTES) {
            position = at + Long.BYTES;
            return (long) LONGS.get(memory, at);
        }
        return split(Long.BYTES);
    }

    /** What {@link Exporter#writeFloat} has written. */
    public float readFloat() {
        int at = position;
        if (limit - at >= Float.BYTES) {
            position = at + Float.BYTES;
            return (float) FLOATS.get(memory, at);
        }
        return Float.intBitsToFloat((int) split(Float.BYTES));
    }

    /** What {@link Exporter#writeDouble} has written. */
    public double readDouble() {
        int at = position;
        if (limit - at >= Double.BYTES) {
            position = at + Double.BYTES;
            return (double) DOUBLES.get(memory, at);
        }
        return Double.longBitsToDouble(split(Double.BYTES));
    }

    final long split(int bytes) {
        long value = 0;
        for (int each = 0; each < bytes; each++) {
            value |= (readByte() & 0xffL) << (each * Byte.SIZE);
        }
        return value;
    }

    /** What {@link Exporter#writeCompactInt} has written. */
    public int readCompactInt() {
        long value = readUnsigned();
        if (value >>> Integer.SIZE != 0) {
            throw new MalformedMessageException("a compact integer has more than 32 bits");
        }
        return (int) (value >>> 1) ^ -(int) (value & 1);
    }

    /** What {@link Exporter#writeCompactLong} has written. */
    public long readCompactLong() {
        long value = readUnsigned();
        return (value >>> 1) ^ -(value & 1);
    }

    /** What {@link Exporter#writeCount} has written; compare it with something before allocating for it. */
    public int readCount() {
        long value = readUnsigned();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new MalformedMessageException("a count is " + Long.toUnsignedString(value));
        }
        return (int) value;
    }

    final long readUnsigned() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = readByte();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedMessageException("a compact integer has more than 64 bits");
    }
}
