package org.galerna.link.shm.file;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What lies where in the file that the ranks of a job on one host share, the {@link Board}.
 *
 * <pre>
 *    0  +--------------------------------------------------------------+
 *       | magic, version (8) | ranks (4) |  unused                     |  written once, before the file has its name
 *   64  | calls (4) |  unused                                          |
 *  128  +--------------------------------------------------------------+
 *       | state (4) | bell (4) | events (4) | fence (4) |  unused      |  entry of rank 0, two lines
 *       | heartbeat (8) | called (4) |  unused                         |
 *  256  +--------------------------------------------------------------+
 *       | entry of rank 1 ...                                          |
 *       +--------------------------------------------------------------+
 *       | one bit for each rank that has opened something to rank 0    |  rows of whole lines
 *       | the same for rank 1 ...                                      |
 *       +--------------------------------------------------------------+
 * </pre>
 *
 * <table>
 * <caption>Who does what, in which memory order</caption>
 * <tr><th>field</th><th>the rank itself</th><th>its peers</th></tr>
 * <tr><td>state</td><td>release write when it attaches, compare-and-set when it leaves</td><td>acquire read;
 * compare-and-set when they find it gone</td></tr>
 * <tr><td>bell</td><td colspan="2">see {@link Bell}</td></tr>
 * <tr><td>events</td><td>acquire read at every poll</td><td>atomic increment, after what it tells of is there</td></tr>
 * <tr><td>fence</td><td>plain write before the state</td><td>plain read after the state</td></tr>
 * <tr><td>heartbeat</td><td>opaque write, ten times a second</td><td>opaque read</td></tr>
 * <tr><td>called</td><td>atomic exchange with zero</td><td>volatile write, before the increment of calls</td></tr>
 * <tr><td>calls</td><td>acquire read before it looks whether it is called; sleeps on it</td><td>atomic increment</td></tr>
 * <tr><td>bits</td><td>atomic exchange with zero</td><td>atomic or, before the increment of events</td></tr>
 * </table>
 *
 * <p>State, bell and events share a line: peers read it with every frame, and hardly anybody ever writes it.
 */
public final class ControlPageLayout {
    public static final long MAGIC = 0x47414c42_00000002L;

    public static final long MAGIC_OFFSET = 0;
    public static final long RANKS_OFFSET = 8;
    public static final long CALLS_OFFSET = 64;

    public static final int LINE_BYTES = 64;
    public static final int ENTRY_BYTES = 128;
    private static final long ENTRIES_START = 128;

    public static final long STATE = 0;
    public static final long BELL = 4;
    public static final long EVENTS = 8;
    public static final long FENCE = 12;
    public static final long HEARTBEAT = 64;
    public static final long CALLED = 72;

    /** State: nobody has attached as this rank yet. */
    public static final int ABSENT = 0;

    /** State: the rank is there. */
    public static final int ATTACHED = 1;

    /** State: the rank has stopped in good order. */
    public static final int STOPPED = 2;

    /** State: the rank's process has died without that, as others have found. */
    public static final int ENDED = 3;

    /** State: the rank has written what no rank of this version writes; the others have given it up. */
    public static final int CORRUPT = 4;

    /** Fence: the rank's process executes barriers on demand of other processes. */
    public static final int BARRIERS = 1;

    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    public static final VarHandle INTS = INT.varHandle().withInvokeExactBehavior();
    public static final VarHandle LONGS = LONG.varHandle().withInvokeExactBehavior();

    private ControlPageLayout() {}

    public static long entry(int rank) {
        return ENTRIES_START + (long) rank * ENTRY_BYTES;
    }

    /** Words of 64 bits in a row of bits. */
    public static int words(int ranks) {
        return (ranks + Long.SIZE - 1) / Long.SIZE;
    }

    public static long row(int ranks, int rank) {
        int lines = (words(ranks) * Long.BYTES + LINE_BYTES - 1) / LINE_BYTES;
        return entry(ranks) + (long) rank * lines * LINE_BYTES;
    }

    public static long bytes(int ranks) {
        return row(ranks, ranks);
    }
}
