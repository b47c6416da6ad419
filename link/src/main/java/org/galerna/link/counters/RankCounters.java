package org.galerna.link.counters;

import static org.galerna.link.counters.CountersLayout.INT;
import static org.galerna.link.counters.CountersLayout.INTS;
import static org.galerna.link.counters.CountersLayout.LONG;
import static org.galerna.link.counters.CountersLayout.LONGS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.link.Footprint;
import org.galerna.link.Footprint.Amounts;
import org.galerna.link.Footprint.Range;
import org.galerna.link.RankKey;
import org.galerna.link.Wireup;
import org.galerna.nativeaccess.memory.RawMemory;
import org.jspecify.annotations.Nullable;

/**
 * Writes the counters of one rank. Where the file cannot be made, the rank counts in its own memory. Any thread may call any
 * method.
 */
public final class RankCounters {
    /** No entry: more calls wait than there are entries. */
    public static final int NO_ENTRY = -1;

    /** Figure: connections that were made after the first one between two ranks, or after the first trial. */
    public static final String RECONNECTIONS = "reconnections";

    /** Figure: buffers that messages pass which the network cannot take from where they are. */
    public static final String STAGING_ALLOCATIONS = "stagingAllocations";

    /** Figure: arrays for the bytes of messages that have come before their receives. */
    public static final String UNEXPECTED_ALLOCATIONS = "unexpectedAllocations";

    private static final int LONGEST_TEXT = CountersLayout.ENTRY_BYTES - CountersLayout.ENTRY_TEXT - Integer.BYTES;

    /** The ranks of this process that have not left, by the names of their jobs. */
    private static final Map<RankKey, RankCounters> OF_RANKS = new ConcurrentHashMap<>();

    private final RankKey owner;
    private final CountersFile file;
    private final MemorySegment page;
    private final MemorySegment others;
    private final Map<Integer, MemorySegment> rows = new HashMap<>(); // guarded by this, as all that follows
    private final Map<String, MemorySegment> figures = new HashMap<>();
    private MemorySegment chunk;
    private int chunkStart;
    private int chunkEnd;
    private final boolean[] entries = new boolean[CountersLayout.NUMBER_OF_ENTRIES];

    private RankCounters(RankKey owner, CountersFile file) {
        this.owner = owner;
        this.file = file;
        this.page = file.first();
        this.others = page.asSlice(CountersLayout.OTHERS, CountersLayout.ROW_BYTES);
        this.chunk = page.asSlice(CountersLayout.FIRST_ROW);
        this.chunkEnd = CountersLayout.FIRST_ROWS;
    }

    /** What the counters of a rank take. */
    public static Footprint footprint() {
        Range bytes = new Range(
                CountersLayout.bytes(CountersLayout.FIRST_ROWS), CountersLayout.bytes(CountersLayout.MOST_ROWS));
        return Footprint.ofRank(new Amounts(bytes, Range.NOTHING, Range.NOTHING, Range.exactly(1)));
    }

    /** The counters of a rank that is about to join its job. */
    public static RankCounters open(Wireup wireup) {
        RankCounters counters = open(wireup.job(), "rank-" + wireup.rank(), wireup.rank(), wireup.size());
        OF_RANKS.put(new RankKey(wireup.rank(), wireup.job()), counters);
        return counters;
    }

    /** The counters of a rank, or of something else if there are no ranks. */
    static RankCounters open(String job, String name, int rank, int ranks) {
        return new RankCounters(new RankKey(rank, job), CountersFile.make(job, name, first -> {
            first.set(INT, CountersLayout.RANK, rank);
            first.set(INT, CountersLayout.RANKS, ranks);
            writeText(first, CountersLayout.JOB, CountersLayout.COMMAND, job);
        }));
    }

    /**
     * Something rare has happened for a rank of this process, which what does not know its counters tells; otherwise nothing
     * is counted.
     */
    public static void count(String job, int rank, String figure) {
        RankCounters counters = OF_RANKS.get(new RankKey(rank, job));
        if (counters != null) {
            PeerCounters.addAtomically(counters.figure(figure), CountersLayout.FIGURE, 1);
        }
    }

    /** Writes as much of a text as there is room for. */
    static void writeText(MemorySegment page, long at, long end, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int room = (int) (end - at) - Integer.BYTES;
        int length = bytes.length <= room ? bytes.length : whole(bytes, room);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, page, at + Integer.BYTES, length);
        page.set(INT, at, length);
    }

    /** Bytes of whole characters. */
    private static int whole(byte[] bytes, int most) {
        int length = most;
        while (length > 0 && (bytes[length] & 0xc0) == 0x80) {
            length--;
        }
        return length;
    }

    /** The rank has joined its job. */
    public void joined(String device) {
        writeText(page, CountersLayout.DEVICE, CountersLayout.JOB, device);
        INTS.setRelease(page, (long) CountersLayout.STATE, CountersLayout.RUNNING);
    }

    /** The rank leaves its job in good order: nobody needs its counters any more. */
    public void leave() {
        OF_RANKS.remove(owner, this);
        file.remove();
    }

    /** What counts the messages of one peer; for the caller to keep. */
    public PeerCounters of(int peer) {
        return new PeerCounters(this, peer);
    }

    /** What counts a figure that has a name, for one thread at a time. It takes room in the file when it counts something. */
    public Runnable counter(String name) {
        return new Runnable() {
            private @Nullable MemorySegment row;

            @Override
            public void run() {
                MemorySegment known = row;
                if (known == null) {
                    known = figure(name);
                    row = known;
                }
                RawMemory.addLong(known, CountersLayout.FIGURE, 1);
            }
        };
    }

    /** The row of a peer, the same each time. */
    synchronized MemorySegment row(int peer) {
        return rows.computeIfAbsent(peer, unseen -> {
            MemorySegment row = next();
            if (row == null) {
                return others;
            }
            row.set(INT, CountersLayout.PEER, peer + 1);
            show();
            return row;
        });
    }

    /** The row of a figure, the same each time; memory of nobody if there is no room for it. */
    synchronized MemorySegment figure(String name) {
        return figures.computeIfAbsent(name, unseen -> {
            MemorySegment row = next();
            if (row == null) {
                return Arena.ofAuto().allocate(CountersLayout.ROW_BYTES, Long.BYTES);
            }
            row.set(INT, CountersLayout.PEER, -1);
            writeText(row, CountersLayout.FIGURE_NAME, CountersLayout.PEER, name);
            show();
            return row;
        });
    }

    /** The next row, for {@link #show} when it is written; null if there is no room. */
    private @Nullable MemorySegment next() {
        int number = page.get(INT, CountersLayout.ROWS);
        if (number == chunkEnd && !grow()) {
            return null;
        }
        return chunk.asSlice((long) (number - chunkStart) * CountersLayout.ROW_BYTES, CountersLayout.ROW_BYTES);
    }

    private void show() {
        INTS.setRelease(page, (long) CountersLayout.ROWS, page.get(INT, CountersLayout.ROWS) + 1);
    }

    private boolean grow() {
        int more = 2 * (chunkEnd - chunkStart);
        if (chunkEnd + more > CountersLayout.MOST_ROWS) {
            return false;
        }
        MemorySegment next = file.grow(CountersLayout.bytes(chunkEnd), (long) more * CountersLayout.ROW_BYTES);
        if (next == null) {
            return false;
        }
        chunk = next;
        chunkStart = chunkEnd;
        chunkEnd += more;
        return true;
    }

    /** Whether a row counts for several peers. */
    boolean isCommon(MemorySegment row) {
        return row == others;
    }

    /** So many messages are there without a receive; true if there were never more. For one thread at a time. */
    public boolean unexpected(int number) {
        boolean most = number > (long) LONGS.get(page, (long) CountersLayout.MOST_UNEXPECTED);
        if (most) {
            LONGS.setOpaque(page, (long) CountersLayout.MOST_UNEXPECTED, (long) number);
        }
        return most;
    }

    /** An operation over a common heap begins. Of two threads that say so at once, one may be lost. */
    public void heapOperation() {
        RawMemory.addLong(page, CountersLayout.HEAP_OPERATIONS, 1);
    }

    /** A wait is over that was more than a few looks. */
    public void waited(WaitKind kind, long nanos) {
        long at = CountersLayout.WAITS + (long) kind.place() * CountersLayout.WAIT_BYTES;
        PeerCounters.addAtomically(page, at, 1);
        PeerCounters.addAtomically(page, at + Long.BYTES, nanos);
    }

    // ---- calls that wait

    /**
     * A call begins to sleep.
     *
     * @return its entry, for the next two methods; or {@link #NO_ENTRY}
     */
    public synchronized int enter(WaitKind kind, int peer, long since) {
        for (int entry = 0; entry < entries.length; entry++) {
            if (!entries[entry]) {
                entries[entry] = true;
                write(entry, kind, peer, since, null);
                return entry;
            }
        }
        return NO_ENTRY;
    }

    /** Says in words what a call waits for. */
    public synchronized void describe(int entry, WaitKind kind, int peer, long since, String text) {
        if (entry != NO_ENTRY) {
            write(entry, kind, peer, since, text);
        }
    }

    /** The call sleeps no more. */
    public synchronized void leave(int entry) {
        if (entry != NO_ENTRY) {
            entries[entry] = false;
            write(entry, WaitKind.OTHER, 0, 0, null);
        }
    }

    /** In the order of {@link CountersLayout}: odd version, contents, even version. */
    private void write(int entry, WaitKind kind, int peer, long since, @Nullable String text) {
        long at = CountersLayout.ENTRIES + (long) entry * CountersLayout.ENTRY_BYTES;
        long version = (long) LONGS.get(page, at + CountersLayout.VERSION) + 1;
        LONGS.setOpaque(page, at + CountersLayout.VERSION, version);
        VarHandle.storeStoreFence();
        page.set(LONG, at + CountersLayout.SINCE, since);
        page.set(INT, at + CountersLayout.ENTRY_PEER, peer);
        page.set(INT, at + CountersLayout.ENTRY_KIND, kind.place());
        page.set(LONG, at + CountersLayout.ENTRY_THREAD, Thread.currentThread().threadId());
        if (text == null) {
            page.set(INT, at + CountersLayout.ENTRY_TEXT, 0);
        } else {
            writeText(page, at + CountersLayout.ENTRY_TEXT, at + CountersLayout.ENTRY_BYTES, shorten(text));
        }
        LONGS.setRelease(page, at + CountersLayout.VERSION, version + 1);
    }

    private static String shorten(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 3) + "...";
    }
}
