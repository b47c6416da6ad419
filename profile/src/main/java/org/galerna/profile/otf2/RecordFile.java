package org.galerna.profile.otf2;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of records, in chunks of equal size, so that a reader can begin at each. No record lies in two chunks: what is left of a
 * full one is zeros. The last one is as short as it can be.
 *
 * <pre>
 *   0        1          2                      10                    18
 *  +--------+----------+----------------------+---------------------+-----------+--------
 *  | 3      | B: order | number of its first  | number of its last  | records   | zeros
 *  +--------+----------+----------------------+---------------------+-----------+--------
 * </pre>
 */
final class RecordFile implements AutoCloseable {
    private static final int CHUNK = 0x03;
    private static final int LITTLE_ENDIAN = 0x42;
    private static final int TIME = 0x05;
    private static final int END_OF_CHUNK = 0x02;
    private static final int END_OF_FILE = 0x01;
    private static final int HEADER = 2 + 2 * Long.BYTES;
    private static final int LAST_NUMBER = HEADER - Long.BYTES;
    private static final int TIME_LENGTH = 1 + Long.BYTES;
    private static final int END_LENGTH = 2;
    private static final int LONG_RECORD = 0xff;

    private final OutputStream out;
    private final ByteBuffer chunk;
    private final boolean counts;
    private long records;
    private long time = Fields.UNDEFINED;

    /**
     * A new file.
     *
     * @param counts whether the chunks name the numbers of their records, as those of events do
     */
    RecordFile(Path file, int chunkSize, boolean counts) throws IOException {
        this.out = Files.newOutputStream(file);
        this.chunk = ByteBuffer.allocate(chunkSize).order(ByteOrder.LITTLE_ENDIAN);
        this.counts = counts;
        begin();
    }

    private void begin() {
        chunk.put((byte) CHUNK).put((byte) LITTLE_ENDIAN).putLong(records + 1).putLong(0);
        time = Fields.UNDEFINED;
    }

    /** How many records it has. */
    long records() {
        return records;
    }

    /** Adds a record with its length before its fields, so that older readers can pass over it. */
    void add(int type, Fields fields) throws IOException {
        int length = fields.length();
        makeRoom(2 + Long.BYTES + length);
        chunk.put((byte) type);
        if (length < LONG_RECORD) {
            chunk.put((byte) length);
        } else {
            chunk.put((byte) LONG_RECORD).putLong(length);
        }
        chunk.put(fields.bytes());
        records++;
    }

    /** Adds an event with its length. */
    void add(long at, int type, Fields fields) throws IOException {
        makeRoom(TIME_LENGTH + 2 + Long.BYTES + fields.length());
        time(at);
        add(type, fields);
    }

    /** Adds an event that has no length before its fields. */
    void addBare(long at, int type, Fields fields) throws IOException {
        makeRoom(TIME_LENGTH + 1 + fields.length());
        time(at);
        chunk.put((byte) type).put(fields.bytes());
        records++;
    }

    private void time(long at) {
        if (at != time) {
            chunk.put((byte) TIME).putLong(at);
            time = at;
        }
    }

    private void makeRoom(int length) throws IOException {
        if (chunk.remaining() >= length + END_LENGTH) {
            return;
        }
        if (HEADER + length + END_LENGTH > chunk.capacity()) {
            throw new IOException("a record of " + length + " bytes is longer than OTF2 allows here: it has to fit in "
                    + chunk.capacity());
        }
        while (chunk.hasRemaining()) {
            chunk.put((byte) 0);
        }
        flush();
        begin();
    }

    private void flush() throws IOException {
        if (counts) {
            chunk.putLong(LAST_NUMBER, records);
        }
        out.write(chunk.array(), 0, chunk.position());
        chunk.clear();
    }

    @Override
    public void close() throws IOException {
        try (out) {
            chunk.put((byte) END_OF_CHUNK).put((byte) END_OF_FILE);
            flush();
        }
    }
}
