package org.galerna.link.counters;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What lies where in the file of counters of one rank, or of another process that communicates.
 *
 * <pre>
 *    0  +--------------------------------------------------------------+
 *       | magic, version (8) | process (8) | its start (8)             |  written once, before the file has its name
 *       | start of the counters (8), the same by nanoTime (8)          |
 *       | rank (4) | ranks (4) | state (4) | rows in use (4)           |
 *   64  | most unexpected messages at once (8) | heap operations (8)   |
 *  128  | for each kind of call: waits (8), nanoseconds of them (8)    |
 *  256  | the row of all peers that have none of their own             |
 *  512  | calls that wait now: four entries of 128 bytes               |
 * 1024  | device: length (4), bytes | 1088 job | 1280 command          |
 * 2048  +--------------------------------------------------------------+
 *       | rows of peers, 256 bytes each, in the order of their use     |
 *       +--------------------------------------------------------------+
 *
 * row:    0  | sent: for each kind of message a word of both figures (8) | received: the same |
 *        64  | sent before that: for each kind of message number (8), bytes (8) |
 *       128  | received before that: the same                         |
 *       192  | peer + 1 (4) | carries of sent (4) | announced (8), their bytes (8) | stalls for lack of credit (8)
 *            | received after an announcement (8), their bytes (8) | unexpected (8) | carries of received (4) |
 *
 * figure: 0  | value (8) | length of the name (4) | name | ... 192 | below 0 (4) |
 *
 * entry:  0  | version (8) | since, by nanoTime (8) | peer (4) | kind (4) | thread (8) | length of the text (4) | text |
 * </pre>
 *
 * <p>The file begins with {@link #FIRST_ROWS} rows. It grows by twice as many each time, up to {@link #MOST_ROWS}.
 *
 * <p><b>Order.</b> Each counter of a row has one writer at a time: what is sent is counted inside the lock of the peer, what
 * is received inside the match lock, or both inside the one lock of a device. Counting is a plain read and an opaque write,
 * so that a reader in another process sees each value as a whole and never one that goes back. It may be a moment behind.
 * Each counter is exact when its rank is quiet: the lock's release makes the last write visible. What several threads may
 * count at once, the waits and the row of the others, is added to atomically. The number of rows is a release write after
 * the peer of the new row; a reader that sees the number sees the peer. An entry is written between an odd and an even
 * version, and a reader that sees another version afterwards reads again.
 *
 * <p>The word of a kind has the number of messages in its upper {@value #NUMBER_BITS} bits and their bytes in the others, so that
 * a message costs one addition. When one of the two is half full, it is carried over to the figures of before, between an odd
 * and an even number of carries; a reader that sees another number afterwards reads again.
 *
 * <p>A row may hold a figure that has a name, in place of a peer: what happens rarely, and all that there is of a node of
 * messages and of fast sockets, whose number of ranks is 0. A figure of a rank is added to atomically; the others are written by the thread
 * that looks at them once a second.
 *
 * <p>The pages belong to the file, not to the process, so that all of this is there after the process was killed.
 */
public final class CountersLayout {
    static final long MAGIC = 0x47414c43_00000001L;

    static final int MAGIC_AT = 0;
    static final int PROCESS = 8;
    static final int PROCESS_START = 16;
    static final int START_MILLIS = 24;
    static final int START_NANOS = 32;
    static final int RANK = 40;
    static final int RANKS = 44;
    static final int STATE = 48;
    static final int ROWS = 52;

    static final int MOST_UNEXPECTED = 64;
    static final int HEAP_OPERATIONS = 72;

    static final int WAITS = 128;
    static final int WAIT_BYTES = 16;
    static final int OTHERS = 256;

    static final int ENTRIES = 512;
    static final int ENTRY_BYTES = 128;
    static final int NUMBER_OF_ENTRIES = 4;
    static final int VERSION = 0;
    static final int SINCE = 8;
    static final int ENTRY_PEER = 16;
    static final int ENTRY_KIND = 20;
    static final int ENTRY_THREAD = 24;
    static final int ENTRY_TEXT = 32;

    static final int DEVICE = 1024;
    static final int JOB = 1088;
    static final int COMMAND = 1280;
    static final int FIRST_ROW = 2048;

    static final int ROW_BYTES = 256;
    static final int SENT = 0;
    static final int RECEIVED = 32;
    static final int SENT_BEFORE = 64;
    static final int RECEIVED_BEFORE = 128;
    static final int PEER = 192;
    static final int SENT_CARRIES = 196;
    static final int ANNOUNCED = 200;
    static final int STALLS = 216;
    static final int RECEIVED_ANNOUNCED = 224;
    static final int UNEXPECTED = 240;
    static final int RECEIVED_CARRIES = 248;

    static final int FIGURE = 0;
    static final int FIGURE_NAME = 8;

    /** From a number of messages to their bytes. */
    static final int BYTES = 8;

    static final int NUMBER_BITS = 28;
    static final int BYTES_BITS = Long.SIZE - NUMBER_BITS;
    static final long ONE_MESSAGE = 1L << BYTES_BITS;

    /** The upper half of each of the two. */
    static final long HALF_FULL = Long.MIN_VALUE | (ONE_MESSAGE >> 1);

    /** More bytes at once go to the figures of before. */
    static final long MOST_BYTES = ONE_MESSAGE >> 2;

    /** More messages at once, too. */
    static final long MOST_MESSAGES = 1L << (NUMBER_BITS - 2);

    static final int FIRST_ROWS = 8;

    /** Eight, and five times twice as many. */
    static final int MOST_ROWS = 504;

    /** State: the rank joins the others. */
    static final int JOINING = 0;

    /** State: the rank communicates. */
    static final int RUNNING = 1;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    static final VarHandle LONGS = LONG.varHandle().withInvokeExactBehavior();
    static final VarHandle INTS = INT.varHandle().withInvokeExactBehavior();

    private CountersLayout() {}

    /** Bytes of a file with so many rows. */
    static long bytes(int rows) {
        return FIRST_ROW + (long) rows * ROW_BYTES;
    }

    /** From the first word to that of a kind. */
    static int wordOf(int context) {
        return (context & 3) * Long.BYTES;
    }

    /** From the first figures of before to those of a kind. */
    static int beforeOf(int context) {
        return (context & 3) * 2 * Long.BYTES;
    }
}
