package org.galerna.collectives.team;

import java.util.stream.IntStream;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.SharedCondition;
import org.galerna.device.SharedHeap;
import org.galerna.link.Collective;
import org.galerna.link.ProcessFence;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Buffers;
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
 * than {@value #FLAGS}, when the sum of them has. So nobody is in an earlier round, and the words for claims and done
 * pieces, which carry the number of their work, can be set up for this one by whoever is first: first the done ones,
 * then the claims; a claim that is seen for this work follows both. No member gets to the next round before this one
 * has left this one. What is left of the pieces is what has been claimed from neither end, and both ends are counted in
 * one word, so that no piece is claimed twice; claims beyond what is there, one for each member at most, claim nothing.
 */
public final class Seat {
    /** Members up to which each looks for each; beyond, they are counted. */
    private static final int FLAGS = 4;

    /** Bits of a number of pieces in the words for claims and done pieces; the bits above say of which work. */
    private static final int PIECE_BITS = 18;

    private static final long PIECE_MASK = (1L << PIECE_BITS) - 1;

    /** Most pieces of a work; leaves room for claims beyond the end. */
    private static final int MOST_PIECES = 1 << (PIECE_BITS - 1);

    // the word for claims: number of the work (10), pieces (18), claimed from the last one on (18) and from the first
    // on (18)
    private static final int FROM_LAST = PIECE_BITS;
    private static final int PIECES = 2 * PIECE_BITS;
    private static final int WORK = 3 * PIECE_BITS;
    private static final long WORK_MASK = (1L << (Long.SIZE - WORK)) - 1;

    private static final int LENGTH_BITS = 48;
    private static final int CALL_MASK = (1 << (Long.SIZE - LENGTH_BITS)) - 1;
    private static final int SEQUENCE_BITS = 48;

    /** The event that all have entered the round, or that its work is done. */
    private static final long ROUND = -1;

    private final AsymmetricFence fence = ProcessFence.instance();
    private final Board board;
    private final SharedHeap heap;
    private final int[] members;
    private final int member;
    private final int size;

    private final SlotShown slotShown = new SlotShown();
    private final Finished finished = new Finished();
    private final AllEntered allEntered = new AllEntered();
    private final WorkDone workDone = new WorkDone();

    private final Team team;

    /** Number of the last collective of slots that this member has begun. */
    private long sequence;

    /** All members have finished the collectives up to this one. */
    private long finishedByAll;

    /** Rounds that this member has entered. */
    private long round;

    /** Those of them in which there was a common work. */
    private long works;

    Seat(Board board, SharedHeap heap, int[] members, int member, Team team) {
        this.board = board;
        this.heap = heap;
        this.members = members;
        this.member = member;
        this.size = members.length;
        this.team = team;
    }

    /** Longest value for {@link #show}, in bytes. */
    public static int longestValue() {
        return BoardLayout.PAGE;
    }

    /** Fails if another member has called something else at the same place in the order of collectives. */
    private void failIfOutOfStep() {
        Calls calls = team.calls();
        long own = calls.get(calls.number());
        for (int other = 0; other < size; other++) {
            Calls theirs = board.calls(other);
            if (theirs == null) {
                continue;
            }
            if (calls.haveGoneApart(theirs)) {
                String earlier = team.history().contradiction(rankOf(other), theirs, rankOf(member), calls);
                if (earlier != null) {
                    throw explain(ErrorClass.OTHER, -1, earlier, null);
                }
            }
            long call = theirs.get(calls.number());
            if (Calls.contradict(own, call)) {
                boolean sizes = Calls.tag(call) == Calls.tag(own);
                throw explain(
                        sizes ? ErrorClass.COUNT : ErrorClass.OTHER,
                        -1,
                        sizes
                                ? Team.lengths(
                                        rankOf(other),
                                        Calls.bytes(call),
                                        rankOf(member),
                                        Calls.bytes(own),
                                        team.operation())
                                : outOfStep(other, theirs, call),
                        null);
            }
        }
    }

    /** Where collectives that do not block are among them, the first difference may be one of those. */
    private String outOfStep(int other, Calls theirs, long call) {
        Calls calls = team.calls();
        if (calls.started() != theirs.started()) {
            String first = team.history().contradiction(rankOf(other), theirs, rankOf(member), calls);
            if (first != null) {
                return first;
            }
        }
        return team.outOfStep(other, (team.tag() & ~Calls.tag(-1L)) | Calls.tag(call), team.tag());
    }

    // ---- slots

    /** Begins a collective of slots. */
    public void begin() {
        heap.enter();
        sequence++;
    }

    /** Shows a copy of a value of at most {@link #longestValue} bytes to whoever wants to see it. */
    public void show(Object buffer, long offset, long length) {
        boolean inline = length <= BoardLayout.INLINE;
        awaitFinished(inline ? BoardLayout.DEPTH : BoardLayout.PAGES);
        long slot = Board.slot(member, sequence);
        if (inline) {
            Buffers.copy(buffer, offset, board.slots(), slot + BoardLayout.BYTES, length);
        } else {
            Buffers.copy(buffer, offset, board.pages(), Board.page(member, sequence), length);
        }
        board.setHeader(slot, header(length));
        board.commit(slot, sequence);
        signal(slotOf(member));
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
        long slot = Board.slot(from, sequence);
        if (board.committed(slot) != sequence) {
            await(slotShown.by(from, slot), from);
        }
        if (board.header(slot) != header(length)) {
            throw mismatch(from, board.header(slot), length);
        }
        if (length <= BoardLayout.INLINE) {
            Buffers.copy(board.slots(), slot + BoardLayout.BYTES + start, target, targetOffset, count);
        } else {
            Buffers.copy(board.pages(), Board.page(from, sequence) + start, target, targetOffset, count);
        }
    }

    /** As {@link #read(int, long, long, Object, long, long)}, the whole value. */
    public void read(int from, long length, Object target, long targetOffset) {
        read(from, length, 0, target, targetOffset, length);
    }

    /** Ends a collective of slots, also if it has failed. */
    public void finish() {
        board.finish(member, sequence);
        signal(finishOf(member, sequence));
    }

    /** Takes note that this member has read values of all others in this collective. */
    public void allSeen() {
        finishedByAll = sequence - 1;
    }

    private long header(long length) {
        return ((long) (team.tag() & CALL_MASK) << LENGTH_BITS) | length;
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
                    await(finished.by(other, number + depth / 2), -1);
                }
                least = Math.min(least, board.finished(other));
            }
        }
        finishedByAll = least;
    }

    private DeviceException mismatch(int from, long header, long expected) {
        int tag = team.tag();
        if (header >>> LENGTH_BITS != (tag & CALL_MASK)) {
            int theirs = (tag & ~CALL_MASK) | (int) (header >>> LENGTH_BITS);
            return explain(ErrorClass.OTHER, from, team.outOfStep(from, theirs, tag), null);
        }
        long shown = header & ((1L << LENGTH_BITS) - 1);
        return explain(
                ErrorClass.COUNT, from, Team.lengths(rankOf(from), shown, rankOf(member), expected, operation()), null);
    }

    // ---- rounds

    /** Waits until all have come. */
    public void meet() {
        heap.enter();
        enterRound();
    }

    private void enterRound() {
        if (arrive()) {
            signal(ROUND);
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
        if (!allEntered.isDone()) {
            await(allEntered, -1);
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

    /** Name of the collective that the member is in. */
    public String operation() {
        return team.operation();
    }

    /** Rank of a member as the program knows it. */
    public int rankOf(int other) {
        return team.rankInWhole(other);
    }

    /** Number of members. */
    public int size() {
        return size;
    }

    /** Most pieces that the work for one member may have. */
    public int mostPieces() {
        return MOST_PIECES / size;
    }

    /** Meets all, and does a common work with them. */
    public void work(Work work) {
        heap.enter();
        try {
            works++;
            begin(work);
            Throwable thrown = null;
            int piece;
            while ((piece = claim()) >= 0) {
                try {
                    if (thrown == null) {
                        work.run(this, piece);
                    }
                } catch (RuntimeException | Error failure) {
                    thrown = failure;
                    board.fail(new Board.Failure(round, member, failure));
                } finally {
                    countDone();
                }
            }
            if (!workDone.isDone()) {
                await(workDone, -1);
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
            setUp(work);
            return;
        }
        if (size <= FLAGS) {
            signal(ROUND);
            awaitAll();
            setUp(work);
            return;
        }
        int helpers = size;
        try {
            setUp(work);
            long pieces = pieces(board.claims());
            if (pieces > 0) {
                helpers = (int) Math.min(pieces, Cpus.available()) - 1;
            }
        } finally {
            signal(ROUND, helpers);
        }
        awaitAll();
    }

    private void setUp(Work work) {
        long number = works & WORK_MASK;
        long claims = board.claims();
        if (claims >>> WORK != number) {
            long pieces = Math.clamp(work.pieces(this), 0, MOST_PIECES);
            long done = board.done();
            if (done >>> PIECE_BITS != number) {
                board.replaceDone(done, number << PIECE_BITS);
            }
            board.replaceClaims(claims, (number << WORK) | (pieces << PIECES));
        }
    }

    /**
     * Takes a piece; -1 if there is none left. Half of the members begin at the first one and half at the last one: who
     * does the same work on the same memory again finds most of it in the cache of its core.
     */
    private int claim() {
        if (left(board.claims()) <= 0) {
            return -1;
        }
        boolean fromFirst = (member & 1) == 0;
        long claims = board.claim(fromFirst ? 1 : 1L << FROM_LAST);
        if (left(claims) <= 0) {
            return -1;
        }
        long piece = fromFirst ? claims & PIECE_MASK : pieces(claims) - 1 - ((claims >>> FROM_LAST) & PIECE_MASK);
        return (int) piece;
    }

    private static long pieces(long claims) {
        return (claims >>> PIECES) & PIECE_MASK;
    }

    private static long left(long claims) {
        return pieces(claims) - (claims & PIECE_MASK) - ((claims >>> FROM_LAST) & PIECE_MASK);
    }

    private void countDone() {
        if ((board.pieceDone() & PIECE_MASK) == pieces(board.claims())) {
            signal(ROUND);
        }
    }

    private void throwFailure(@Nullable Throwable own) {
        if (own instanceof RuntimeException exception) {
            throw exception;
        }
        if (own instanceof Error error) {
            throw error;
        }
        Board.Failure failure = board.failure();
        if (failure != null && failure.round() == round) {
            ErrorClass kind =
                    failure.thrown() instanceof DeviceException device ? device.errorClass() : ErrorClass.OTHER;
            throw explain(
                    kind, failure.member(), String.valueOf(failure.thrown().getMessage()), failure.thrown());
        }
    }

    // ---- waiting

    /** Wakes those who sleep until this event; after it has become visible. */
    private void signal(long event) {
        signal(event, size);
    }

    /** As {@link #signal(long)}, but wakes no more than so many. */
    private void signal(long event, int most) {
        fence.light();
        if (board.hasSleepers(kind(event))) {
            int left = most;
            for (int other = 0; other < size && left > 0; other++) {
                if (board.wish(other) == event) {
                    heap.wakeUp(members[other]);
                    left--;
                }
            }
        }
    }

    /** Sleepers are counted by kinds of events, so that who has news for nobody need not look for each one's wish. */
    private static int kind(long event) {
        return event == ROUND ? 0 : event < ROUND ? 1 : 2;
    }

    /** The event that a member shows its value. */
    private static long slotOf(int other) {
        return ROUND - 1 - other;
    }

    /** The event that a member finishes a collective. */
    private static long finishOf(int other, long number) {
        return ((long) other << SEQUENCE_BITS) | number;
    }

    private void await(Condition condition, int from) {
        try {
            heap.await(condition);
        } catch (DeviceException failure) {
            throw explain(failure, from);
        }
    }

    private DeviceException explain(DeviceException failure, int from) {
        if (failure.leaver() >= 0) {
            // it is a member, since the condition needs it
            int leaver = 0;
            while (members[leaver] != failure.leaver()) {
                leaver++;
            }
            Calls calls = team.calls();
            Calls theirs = board.calls(leaver);
            String wrong =
                    theirs == null ? null : team.history().contradiction(rankOf(leaver), theirs, rankOf(member), calls);
            return wrong == null
                    ? team.missed(
                            failure, team.algorithm(), team.collective(), inTheSameCall(calls.get(calls.number())))
                    : explain(ErrorClass.OTHER, -1, wrong, failure);
        }
        return failure.isByLostPeer() ? explain(failure.errorClass(), from, failure.getMessage(), failure) : failure;
    }

    /** The members that have called the collective that this one has called last. */
    private int[] inTheSameCall(long call) {
        return IntStream.range(0, size)
                .filter(other -> {
                    Calls theirs = board.calls(other);
                    return other == member
                            || (theirs != null && theirs.get(team.calls().number()) == call);
                })
                .toArray();
    }

    private DeviceException explain(ErrorClass kind, int from, @Nullable String reason, @Nullable Throwable cause) {
        String peer = from < 0 ? "" : ", reading from rank " + rankOf(from);
        return new DeviceException(kind, "%s (%s%s)".formatted(reason, team.algorithm(), peer), cause);
    }

    /** What this member waits for, and which members still have to act for it. */
    private abstract class Condition implements SharedCondition {
        /** Whether the member has done its part. */
        abstract boolean hasActed(int other);

        /** What wakes this member. */
        abstract long event();

        @Override
        public String operation() {
            return team.history().describe(team.tag());
        }

        @Override
        public Collective collective() {
            return team.collective();
        }

        @Override
        public void failIfOutOfStep() {
            if (!isDone()) {
                Seat.this.failIfOutOfStep();
            }
        }

        @Override
        public int awaitedPeer() {
            for (int other = 0; other < size; other++) {
                if (!hasActed(other)) {
                    return members[other];
                }
            }
            return Device.ANY_SOURCE;
        }

        @Override
        public boolean needs(int rank) {
            for (int other = 0; other < size; other++) {
                if (members[other] == rank) {
                    return !hasActed(other);
                }
            }
            return false;
        }

        @Override
        public void announceSleep() {
            board.wish(member, event());
            board.addSleepers(kind(event()), 1);
        }

        @Override
        public void retractSleep() {
            board.addSleepers(kind(event()), -1);
            board.wish(member, 0);
        }
    }

    /** One member has shown its value. */
    private final class SlotShown extends Condition {
        private int from;
        private long slot;

        SlotShown by(int other, long at) {
            from = other;
            slot = at;
            return this;
        }

        @Override
        public boolean isDone() {
            return board.committed(slot) == sequence;
        }

        @Override
        boolean hasActed(int other) {
            return other != from || isDone();
        }

        @Override
        long event() {
            return slotOf(from);
        }
    }

    /** One member has finished a collective of slots. */
    private final class Finished extends Condition {
        private int whose;
        private long number;

        Finished by(int other, long last) {
            whose = other;
            number = last;
            return this;
        }

        @Override
        public boolean isDone() {
            return board.finished(whose) >= number;
        }

        @Override
        boolean hasActed(int other) {
            return other != whose || isDone();
        }

        @Override
        long event() {
            return finishOf(whose, number);
        }
    }

    /** All members have entered the round. */
    private final class AllEntered extends Condition {
        private long seen;
        private int next;

        @Override
        public boolean isDone() {
            if (size > FLAGS) {
                return board.arrivals() >= size * round;
            }
            if (seen != round) {
                seen = round;
                next = 0;
            }
            while (next < size && hasActed(next)) {
                next++;
            }
            return next == size;
        }

        @Override
        boolean hasActed(int other) {
            return board.entered(other) >= round;
        }

        @Override
        long event() {
            return ROUND;
        }
    }

    /** All pieces of the work are done; a member that is gone cannot have taken one along. */
    private final class WorkDone extends Condition {
        @Override
        public boolean isDone() {
            return (board.done() & PIECE_MASK) == pieces(board.claims());
        }

        @Override
        boolean hasActed(int other) {
            return true;
        }

        @Override
        long event() {
            return ROUND;
        }
    }
}
