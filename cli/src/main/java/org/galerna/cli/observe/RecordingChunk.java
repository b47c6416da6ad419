package org.galerna.cli.observe;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

/**
 * A part of a recording, with all that is needed to read it. Of a process that was killed the last one is marked as unfinished; its
 * head says how much of it can be read.
 *
 * <p>The JDK's reader takes all chunks of a file for those of one process, and keeps what it has read of the chunk before: constants
 * that have the same key, and the description of the types with the clock, if it has the same number. All processes count keys and
 * numbers from the same beginning. So between the chunks of two processes stands an empty one, which has no constants, and whose
 * description has a number of its own.
 *
 * <pre>
 *  0       4         8      16          24             32             64      68
 * +-------+---------+------+-----------+--------------+--------------+-------+---------------------
 * | FLR   | version | size | place of  | place of the | clock, times | state | records
 * |       |         |      | constants | description  |              |       |
 * +-------+---------+------+-----------+--------------+--------------+-------+---------------------
 * </pre>
 */
final class RecordingChunk {
    /** Of a chunk, in bytes. */
    static final int HEAD = 68;

    private static final int MAGIC = 0x464c5200; // FLR
    private static final int SIZE_AT = 8;
    private static final int CONSTANTS_AT = 16;
    private static final int DESCRIPTION_AT = 24;
    private static final int DURATION_AT = 40;
    private static final int TICKS_AT = 48;
    private static final int STATE_AT = 64;
    private static final byte FINISHED = 0;

    private static final int PIECE = 64 * 1024;
    /** Most bytes of a number in the form that has its highest bit set in all bytes but the last. */
    private static final int LONGEST_NUMBER = 10;

    private static final int SIZE_BYTES = 4;
    private static final int BITS = 7;
    private static final int MORE = 0x80;
    private static final int VALUE = 0x7f;
    private static final int LARGEST_SIZE = 1 << (SIZE_BYTES * BITS);
    /** To what numbers of descriptions are added that no process has. */
    private static final long OTHER_NUMBERS = 1L << 32;

    private static final int CONSTANTS = 1;

    private final FileChannel in;
    private final long begin;
    private final ByteBuffer head;
    private final long size;

    private RecordingChunk(FileChannel in, long begin, ByteBuffer head) {
        this.in = in;
        this.begin = begin;
        this.head = head;
        this.size = head.getLong(SIZE_AT);
    }

    /**
     * Copies the chunks of a file.
     *
     * @param separated whether those of another process are before them
     * @return whether there were any
     */
    static boolean copyAll(FileChannel in, WritableByteChannel out, boolean separated) throws IOException {
        long end = in.size();
        long at = 0;
        while (end - at > HEAD) {
            RecordingChunk chunk = new RecordingChunk(in, at, read(in, at, HEAD));
            if (!chunk.isReadable(end)) {
                return at > 0; // the process was killed before it had written more
            }
            if (separated && at == 0) {
                chunk.separate(out);
            }
            chunk.copy(out);
            at += chunk.size;
        }
        return at > 0;
    }

    private boolean isReadable(long end) {
        long description = head.getLong(DESCRIPTION_AT);
        return head.getInt(0) == MAGIC && size <= end - begin && description >= HEAD && description < size;
    }

    private static ByteBuffer read(FileChannel in, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (in.read(bytes, at + bytes.position()) < 0) {
                throw new EOFException("a recording has become shorter while it was read");
            }
        }
        return bytes.flip();
    }

    private void copy(WritableByteChannel out) throws IOException {
        head.put(STATE_AT, FINISHED);
        out.write(head.rewind());
        for (long at = HEAD; at < size; at += PIECE) {
            out.write(read(in, begin + at, (int) Math.min(PIECE, size - at)));
        }
    }

    /** Writes an empty chunk with the clock of this one. */
    private void separate(WritableByteChannel out) throws IOException {
        ByteBuffer constants = ByteBuffer.allocate(SIZE_BYTES + 3 * LONGEST_NUMBER);
        constants.position(SIZE_BYTES);
        put(constants, CONSTANTS);
        put(constants, head.getLong(TICKS_AT));
        put(constants, 0); // its duration
        put(constants, 0); // there are none before
        constants.put((byte) 1); // nor after
        put(constants, 0); // none here
        withSize(constants);
        ByteBuffer description = description();
        int descriptionAt = HEAD + constants.remaining();
        ByteBuffer empty = ByteBuffer.allocate(HEAD).put(head.rewind());
        empty.put(STATE_AT, FINISHED);
        empty.putLong(SIZE_AT, (long) descriptionAt + description.remaining());
        empty.putLong(CONSTANTS_AT, HEAD);
        empty.putLong(DESCRIPTION_AT, descriptionAt);
        empty.putLong(DURATION_AT, 0);
        out.write(empty.flip());
        out.write(constants);
        out.write(description);
    }

    /** The description of the types with another number. */
    private ByteBuffer description() throws IOException {
        long at = head.getLong(DESCRIPTION_AT);
        ByteBuffer start = read(in, begin + at, (int) Math.min(LONGEST_NUMBER, size - at));
        long length = number(start);
        if (length > size - at || length > LARGEST_SIZE - LONGEST_NUMBER) {
            throw new IOException("a recording has a description of its types that is too long: " + length);
        }
        ByteBuffer old = read(in, begin + at, (int) length);
        old.position(start.position());
        ByteBuffer fresh = ByteBuffer.allocate((int) length + SIZE_BYTES + LONGEST_NUMBER);
        fresh.position(SIZE_BYTES);
        put(fresh, number(old)); // the type of the record
        put(fresh, number(old)); // its begin
        put(fresh, number(old)); // its duration
        put(fresh, OTHER_NUMBERS + number(old));
        fresh.put(old);
        return withSize(fresh);
    }

    /** Ends a record, whose first bytes are its size. */
    private static ByteBuffer withSize(ByteBuffer record) {
        record.flip();
        for (int i = 0; i < SIZE_BYTES; i++) {
            int bits = (record.limit() >>> (i * BITS)) & VALUE;
            record.put(i, (byte) (i < SIZE_BYTES - 1 ? bits | MORE : bits));
        }
        return record;
    }

    private static long number(ByteBuffer from) {
        long value = 0;
        for (int shift = 0; ; shift += BITS) {
            int next = from.get();
            value |= (long) (next & VALUE) << shift;
            if ((next & MORE) == 0) {
                return value;
            }
        }
    }

    private static void put(ByteBuffer to, long value) {
        long left = value;
        while ((left & ~VALUE) != 0) {
            to.put((byte) ((left & VALUE) | MORE));
            left >>>= BITS;
        }
        to.put((byte) left);
    }
}
