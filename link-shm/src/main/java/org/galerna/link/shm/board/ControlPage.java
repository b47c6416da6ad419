package org.galerna.link.shm.board;

import static org.galerna.link.shm.file.ControlPageLayout.INT;
import static org.galerna.link.shm.file.ControlPageLayout.INTS;
import static org.galerna.link.shm.file.ControlPageLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.link.shm.file.JobFolder;
import org.galerna.link.shm.file.SharedFile;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.EarlyClasses;
import org.galerna.nativeaccess.memory.RawMemory;
import org.galerna.nativeaccess.thread.Futex;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks of a job on one host know about each other: who is there, and that there is something new to look at.
 * One small file, mapped by all of them; each holds a lock on the byte of its number as long as its process lives.
 */
public final class ControlPage {
    static {
        EarlyClasses.initialize(First.class); // one rank needs it, and a cache has what the rank needs that makes it
    }

    private static final Optional<Futex> FUTEX = Futex.instance();

    private final MemorySegment memory;
    private final int descriptor;
    private final int ranks;

    private ControlPage(MemorySegment memory, int descriptor, int ranks) {
        this.memory = memory;
        this.descriptor = descriptor;
        this.ranks = ranks;
    }

    /** Makes the board, with the byte of a rank locked; null if somebody else has made one meanwhile, or removed this. */
    public static @Nullable ControlPage create(JobFolder folder, String name, int rank, int ranks) throws IOException {
        SharedFile file = SharedFile.createLocked(folder, name, rank, ControlPageLayout.bytes(ranks), new First(ranks));
        return file == null ? null : new ControlPage(file.memory(), file.keepOpen(), ranks);
    }

    /** What the rank that makes the board writes; which rank that is differs, so that a cache would not always have a lambda for it. */
    private record First(int ranks) implements Consumer<MemorySegment> {
        @Override
        public void accept(MemorySegment memory) {
            memory.set(INT, ControlPageLayout.RANKS_OFFSET, ranks);
            LONGS.setRelease(memory, ControlPageLayout.MAGIC_OFFSET, ControlPageLayout.MAGIC);
        }
    }

    /**
     * Maps a board that is open.
     *
     * @throws IOException if it is not what a rank of this version makes
     */
    public static ControlPage open(JobFolder folder, String name, int descriptor, int ranks) throws IOException {
        MemorySegment memory = SharedFile.map(folder, name, descriptor, ControlPageLayout.bytes(0))
                .memory();
        long magic = (long) LONGS.getAcquire(memory, ControlPageLayout.MAGIC_OFFSET);
        int written = memory.get(INT, ControlPageLayout.RANKS_OFFSET);
        if (magic != ControlPageLayout.MAGIC
                || written != ranks
                || memory.byteSize() < ControlPageLayout.bytes(ranks)) {
            throw new IOException(folder.describe(name) + " is no board of this version for " + ranks
                    + " ranks (magic " + Long.toHexString(magic) + ", " + written + " ranks, " + memory.byteSize()
                    + " bytes): do all ranks run the same version of Galerna?");
        }
        return new ControlPage(memory, descriptor, ranks);
    }

    public MemorySegment memory() {
        return memory;
    }

    public int descriptor() {
        return descriptor;
    }

    public int ranks() {
        return ranks;
    }

    /** Enters this rank, whose lock is held. */
    public void enter(int rank, boolean barriers) {
        long entry = ControlPageLayout.entry(rank);
        memory.set(INT, entry + ControlPageLayout.FENCE, barriers ? ControlPageLayout.BARRIERS : 0);
        // release: pairs with the acquire of state()
        INTS.setRelease(memory, entry + ControlPageLayout.STATE, ControlPageLayout.ATTACHED);
    }

    public int state(int rank) {
        return (int) INTS.getAcquire(memory, ControlPageLayout.entry(rank) + ControlPageLayout.STATE);
    }

    public boolean changeState(int rank, int from, int to) {
        return INTS.compareAndSet(memory, ControlPageLayout.entry(rank) + ControlPageLayout.STATE, from, to);
    }

    /** The bell of a rank; {@code barriers} is the fence of this process, or a full one if it has none. */
    public FutexEvent bell(int rank, AsymmetricFence barriers) {
        boolean serves =
                memory.get(INT, ControlPageLayout.entry(rank) + ControlPageLayout.FENCE) == ControlPageLayout.BARRIERS;
        return new FutexEvent(
                memory, ControlPageLayout.entry(rank) + ControlPageLayout.BELL, serves ? barriers : ShmFence.FULL);
    }

    /** Number of things that have happened for a rank; acquire. */
    public int events(int rank) {
        return RawMemory.getIntAcquire(memory, ControlPageLayout.entry(rank) + ControlPageLayout.EVENTS);
    }

    /** Tells a rank that something has happened; the caller rings its bell. */
    public void raise(int rank) {
        int ignored = (int) INTS.getAndAdd(memory, ControlPageLayout.entry(rank) + ControlPageLayout.EVENTS, 1);
    }

    /** Calls for the attention of any rank so far; acquire. */
    public int calls() {
        return (int) INTS.getAcquire(memory, ControlPageLayout.CALLS_OFFSET);
    }

    /** Calls for the attention of a rank's process, and wakes those who {@linkplain #awaitCall wait} for such a call. */
    public void call(int rank) {
        INTS.setVolatile(memory, ControlPageLayout.entry(rank) + ControlPageLayout.CALLED, 1);
        int ignored = (int) INTS.getAndAdd(memory, ControlPageLayout.CALLS_OFFSET, 1);
        FUTEX.orElseThrow().wakeAll(memory, ControlPageLayout.CALLS_OFFSET);
    }

    /**
     * Whether somebody has called for the attention of this rank since this was asked last.
     *
     * <p>No call is lost: a caller writes the rank's word before it counts, and a process reads the count, looks at the words
     * of its ranks, and then waits for another count. A call that it has missed among the words has counted after it read.
     */
    public boolean takeCall(int rank) {
        long called = ControlPageLayout.entry(rank) + ControlPageLayout.CALLED;
        return (int) INTS.getVolatile(memory, called) != 0 && (int) INTS.getAndSet(memory, called, 0) != 0;
    }

    /** Sleeps until there are more than so many {@link #calls}, the time is over, or for no reason. */
    public void awaitCall(int expected, long nanos) {
        FUTEX.orElseThrow().await(memory, ControlPageLayout.CALLS_OFFSET, expected, nanos);
    }

    public long heartbeat(int rank) {
        return (long) LONGS.getOpaque(memory, ControlPageLayout.entry(rank) + ControlPageLayout.HEARTBEAT);
    }

    public void beat(int rank) {
        LONGS.setOpaque(memory, ControlPageLayout.entry(rank) + ControlPageLayout.HEARTBEAT, heartbeat(rank) + 1);
    }

    /** Tells {@code to} that {@code from} has opened something to it. */
    public void announce(int from, int to) {
        long word = ControlPageLayout.row(ranks, to) + (long) (from / Long.SIZE) * Long.BYTES;
        long ignored = (long) LONGS.getAndBitwiseOr(memory, word, 1L << from);
    }

    /** Takes one word of the bits of the ranks that have opened something to this one. */
    public long takeAnnounced(int rank, int word) {
        return (long) LONGS.getAndSet(memory, ControlPageLayout.row(ranks, rank) + (long) word * Long.BYTES, 0L);
    }
}
