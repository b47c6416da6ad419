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
 * row:    0  | sent: for each kind of message number (8), bytes (8)    |  a line each
 *        64  | received: the same                                      |
 *       128  | peer + 1 (4), unused | announced (8), their bytes (8) | stalls for lack of credit (8) |
 *       192  | received after an announcement (8), their bytes (8) | unexpected (8) |
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
    static final int RECEIVED = 64;
    static final int PEER = 128;
    static final int ANNOUNCED = 136;
    static final int STALLS = 152;
    static final int RECEIVED_ANNOUNCED = 192;
    static final int UNEXPECTED = 208;

    /** From a number of messages to their bytes. */
    static final int BYTES = 8;

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

    /** From the number of a message's kind to its place in the line of what is sent, or received. */
    static int ofKind(int context) {
        return (context & 3) * 2 * BYTES;
    }
}
