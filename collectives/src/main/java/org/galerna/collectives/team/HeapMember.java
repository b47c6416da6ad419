package org.galerna.collectives.team;

import org.galerna.device.DeviceException;
import org.galerna.device.RankList;
import org.galerna.device.SharedHeap;
import org.galerna.memory.Cpus;
import org.jspecify.annotations.Nullable;

/**
 * The place of one member at the memory that all members of a team share. There are two ways to use it, and a member may
 * be in one collective at a time.
 *
 * <p><b>Slots</b>, for short values: {@link #begin}, {@link #show} a copy of the own value, {@link #read} those of
 * others, {@link #finish}. Whoever has shown its value and needs none may leave at once.
 *
 * <p><b>Rounds</b>: {@link #meet} waits until all have come; {@link #work} also lets all do a common work on each
 * other's memory, and nobody leaves before it is done. Whoever runs takes pieces, so that with more ranks than cores it
 * does not matter who that is.
 *
 * <p>Argument for slots. A value is committed by its sequence number (release) and read after that has been seen
 * (acquire). A member counts what it has finished (release), and a slot is written again only when all have been seen
 * (acquire) to have finished the collective that used it before. That all have come to a round, or have shown their
 * value in a collective of a later number, says the same.
 *
 * <p>Argument for rounds. All have come when each one's count of rounds has been seen (acquire), or, with more members
 * than {@value SeatEvents#FLAGS}, when the sum of them has. So nobody is in an earlier round, and no member gets to the next
 * round before this one has left this one. {@link PieceClaims} has the argument for the pieces of a work.
 */
public final class HeapMember {
    private static final int FLAGS = SeatEvents.FLAGS;
    private static final long ROUND = SeatEvents.ROUND;

    private final HeapArea board;
    private final SharedHeap heap;
    private final int member;
    private final int size;

    private final SeatFailures failures;
    private final SeatEvents events;
    private final SeatEvents.SlotShown slotShown;
    private final SeatEvents.Finished finished;
    private final SeatEvents.AllEntered allEntered;
    private final PieceClaims claims;
    private final SeatEvents.WorkDone workDone;

    private final Team team;

    /** Number of the last collective of slots that this member has begun. */
    private long sequence;

    /** All members have finished the collectives up to this one. */
    private long finishedByAll;

    /** Rounds that this member has entered. */
    private long round;

    /** Those of them in which there was a common work. */
    private long works;

    private HeapMember(HeapArea board, SharedHeap heap, RankList members, int member, Team team) {
        this.board = board;
        this.heap = heap;
        this.member = member;
        this.size = members.size();
        this.team = team;
        this.failures = new SeatFailures(board, members, member, team);
        this.events = new SeatEvents(board, heap, members, member, team, failures);
        this.slotShown = events.new SlotShown();
        this.finished = events.new Finished();
        this.allEntered = events.new AllEntered();
        this.claims = new PieceClaims(board, member);
        this.workDone = events.new WorkDone(claims);
    }

    /** Takes the place of a member at the memory of its team; all members do. */
    static HeapMember take(SharedHeap heap, RankList members, int member, Team team) {
        BoardKey key = new BoardKey(team.context(), members);
        HeapArea board = heap.meet(HeapArea.class, key, members.size(), () -> new HeapArea(members.size()));
        board.register(member, team.calls());
        return new HeapMember(board, heap, members, member, team);
    }

    private record BoardKey(int context, RankList members) {}

    /** Longest value for {@link #show}, in bytes. */
    public static int longestValue() {
        return HeapAreaLayout.PAGE;
    }

    // ---- slots

    /** Begins a collective of slots. */
    public void begin() {
        heap.enter();
        sequence++;
    }

    /** Shows a copy of a value of at most {@link #longestValue} bytes to whoever wants to see it. */
    public void show(Object buffer, long offset, long length) {
        long slot = HeapArea.slot(member, sequence);
        if (length <= HeapAreaLayout.INLINE) {
            if (finishedByAll < sequence - HeapAreaLayout.DEPTH) {
                awaitFinished(HeapAreaLayout.DEPTH);
            }
            board.slots().write(buffer, offset, slot + HeapAreaLayout.BYTES, length);
        } else {
            fillPage(buffer, offset, length);
        }
        board.setHeader(slot, SlotHeader.of(team.tag(), length));
        board.commit(slot, sequence);
        events.signal(SeatEvents.slotOf(member));
    }

    // what a short value that is there does not need is in methods of its own: with less code, its way is inlined where
    // it is called

    private void fillPage(Object buffer, long offset, long length) {
        awaitFinished(HeapAreaLayout.PAGES);
        board.pages().write(buffer, offset, HeapArea.page(member, sequence), length);
    }

    /**
     * Shows a copy of a value in a collective in which all members show one and read those of all. Among many it also waits
     * until all have: that is one event for everybody, where a reader would sleep for one value after the other.
     */
    public void exchange(Object buffer, long offset, long length) {
        show(buffer, offset, length);
        if (size > FLAGS) {
            enterRound();
            finishedByAll = sequence - 1;
        }
    }

    /** Waits for the value of a member, which has {@code length} bytes, and copies {@code count} of them. */
    public void read(int from, long length, long start, Object target, long targetOffset, long count) {
        long slot = HeapArea.slot(from, sequence);
        if (board.committed(slot) != sequence) {
            awaitShown(from, slot);
        }
        if (board.header(slot) != SlotHeader.of(team.tag(), length)) {
            throw failures.mismatch(from, board.header(slot), length);
        }
        if (length <= HeapAreaLayout.INLINE) {
            board.slots().read(slot + HeapAreaLayout.BYTES + start, target, targetOffset, count);
        } else {
            readPage(from, start, target, targetOffset, count);
        }
    }

    private void awaitShown(int from, long slot) {
        events.await(slotShown.by(from, slot, sequence), from);
    }

    private void readPage(int from, long start, Object target, long targetOffset, long count) {
        board.pages().read(HeapArea.page(from, sequence) + start, target, targetOffset, count);
    }

    /** As {@link #read(int, long, long, Object, long, long)}, the whole value. */
    public void read(int from, long length, Object target, long targetOffset) {
        read(from, length, 0, target, targetOffset, length);
    }

    /** Ends a collective of slots, also if it has failed. */
    public void finish() {
        board.finish(member, sequence);
        events.signal(SeatEvents.finishOf(member, sequence));
    }

    /** Takes note that this member has read values of all others in this collective. */
    public void allSeen() {
        finishedByAll = sequence - 1;
    }

    /** Waits until what was shown {@code depth} collectives ago is not needed any more. */
    private void awaitFinished(int depth) {
        long number = sequence - depth;
        if (finishedByAll >= number) {
            return;
        }
        long least = sequence - 1;
        for (int other = 0; other < size; other++) {
            if (other != member) {
                if (board.finished(other) < number) {
                    // some more, so that this member need not wait again for each of the next ones
                    events.await(finished.by(other, number + depth / 2), -1);
                }
                least = Math.min(least, board.finished(other));
            }
        }
        finishedByAll = least;
    }

    // ---- rounds

    /** Waits until all have come. */
    public void meet() {
        heap.enter();
        enterRound();
    }

    private void enterRound() {
        if (arrive()) {
            events.signal(ROUND);
        }
        awaitAll();
    }

    /** Enters the next round; true if others may sleep until this. */
    private boolean arrive() {
        round++;
        board.enter(member, round);
        return size <= FLAGS || board.arrive() == size * round;
    }

    private void awaitAll() {
        if (!allEntered.of(round).isDone()) {
            events.await(allEntered, -1);
        }
        finishedByAll = sequence;
    }

    /** What this member publishes; to be filled before {@link #work}. */
    public Publication own() {
        return board.publication(member);
    }

    /** What a member has published; only inside {@link Work}. */
    public Publication publication(int other) {
        return board.publication(other);
    }

    /** This member. */
    public int member() {
        return member;
    }

    /** The failure of a work because one member sends another length than another one expects. */
    public DeviceException wrongLength(int sender, long sent, int receiver, long expected) {
        return failures.wrongLength(sender, sent, receiver, expected);
    }

    /** Number of members. */
    public int size() {
        return size;
    }

    /** Most pieces that the work for one member may have. */
    public int mostPieces() {
        return PieceClaims.MOST_PIECES / size;
    }

    /** Meets all, and does a common work with them. */
    public void work(Work work) {
        heap.enter();
        try {
            works++;
            begin(work);
            Throwable thrown = null;
            int piece;
            while ((piece = claims.claim()) >= 0) {
                try {
                    if (thrown == null) {
                        work.run(this, piece);
                    }
                } catch (RuntimeException | Error failure) {
                    thrown = failure;
                    board.fail(new HeapArea.Failure(round, member, failure));
                } finally {
                    if (claims.countDone()) {
                        events.signal(ROUND);
                    }
                }
            }
            if (!workDone.isDone()) {
                events.await(workDone, -1);
            }
            throwFailure(thrown);
        } finally {
            own().clear();
        }
    }

    /**
     * Meets all to begin a work. The last one of many wakes no more of them than can run at a time and have something to do.
     * Members that are not woken here are woken when the work ends: both are the same event, so a member that misses the one
     * sees the other.
     */
    private void begin(Work work) {
        if (!arrive()) {
            awaitAll();
            claims.setUp(works, work, this);
            return;
        }
        if (size <= FLAGS) {
            events.signal(ROUND);
            awaitAll();
            claims.setUp(works, work, this);
            return;
        }
        int helpers = size;
        try {
            claims.setUp(works, work, this);
            long pieces = claims.pieces();
            if (pieces > 0) {
                helpers = (int) Math.min(pieces, Cpus.available()) - 1;
            }
        } finally {
            events.signal(ROUND, helpers);
        }
        awaitAll();
    }

    private void throwFailure(@Nullable Throwable own) {
        if (own instanceof RuntimeException exception) {
            throw exception;
        }
        if (own instanceof Error error) {
            throw error;
        }
        HeapArea.Failure failure = board.failure();
        if (failure != null && failure.round() == round) {
            throw failures.explain(failure);
        }
    }
}
