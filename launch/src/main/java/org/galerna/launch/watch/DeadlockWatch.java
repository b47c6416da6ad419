package org.galerna.launch.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.StackTraces;
import org.galerna.link.RankMonitor;
import org.galerna.memory.EarlyClasses;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the ranks of this virtual machine stand still: each that has not ended is blocked in a communication call
 * or waits for another thread, no message has moved for some time, and no thread is left that goes on. Whether
 * other processes can still move them {@link DeadlockDecision} finds out. Used by one thread.
 */
public final class DeadlockWatch {
    static {
        EarlyClasses.initialize(Other.class); // few ranks need it, and a cache has what the rank needs that makes it
    }

    /** Time between two looks, unless it is said. */
    private static final Duration USUAL_PERIOD = Duration.ofMillis(200);

    /** How much later a look may be. */
    private static final Duration DELAY = Duration.ofMillis(50);

    private final List<? extends ObservedRank> ranks;
    private final Duration patience;
    /** A look that comes later than this counts as one that came this late: the whole JVM may have been stopped. */
    private final Duration longestStep;

    private final Function<Set<Thread>, Census> takeCensus;
    private Question question = Question.FIRST;
    /** Null if some rank went on when it was last looked at. */
    private @Nullable State state;
    /** How often each call had looked when the standstill began, or the question came if that was later. */
    private Map<CallId, Long> looks = Map.of();

    private long epoch;
    private Duration still = Duration.ZERO;
    private Duration nextCensus = Duration.ZERO;
    /** What the last census since the standstill began has found; null before the first. Nobody has asked for one then. */
    private @Nullable List<String> doubts;

    private boolean said;

    /**
     * A watch over the ranks of a job in this virtual machine; to be made before they start.
     *
     * @param patience how long nothing must have moved
     */
    public DeadlockWatch(List<? extends ObservedRank> ranks, Duration patience) {
        this(ranks, patience, USUAL_PERIOD);
    }

    /**
     * A watch over the ranks of a job in this virtual machine; to be made before they start.
     *
     * @param patience how long nothing must have moved
     * @param period time between two looks
     */
    public DeadlockWatch(List<? extends ObservedRank> ranks, Duration patience, Duration period) {
        this(ranks, patience, period, new ThreadCensus(ranks)::take);
    }

    /** A watch over ranks that have begun already. */
    public static DeadlockWatch ofBegunRanks(List<? extends ObservedRank> ranks, Duration patience) {
        return new DeadlockWatch(ranks, patience, USUAL_PERIOD, ThreadCensus.ofBegunRanks(ranks)::take);
    }

    DeadlockWatch(List<? extends ObservedRank> ranks, Duration patience, Function<Set<Thread>, Census> takeCensus) {
        this(ranks, patience, USUAL_PERIOD, takeCensus);
    }

    private DeadlockWatch(
            List<? extends ObservedRank> ranks,
            Duration patience,
            Duration period,
            Function<Set<Thread>, Census> takeCensus) {
        this.ranks = List.copyOf(ranks);
        this.patience = patience;
        this.longestStep = period.plus(DELAY);
        this.takeCensus = takeCensus;
    }

    /** One call of one rank; there is no other of the same number. */
    private record CallId(int rank, long number) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof CallId id && id.rank == rank && id.number == number;
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(number) + rank;
        }
    }

    /** A call and whose it is. */
    private record Call(int rank, RankMonitor.Blocked blocked) {
        CallId id() {
            return new CallId(rank, blocked.number());
        }
    }

    /**
     * What must stay the same: for each rank the number of its messages, and which calls are blocked. It and its parts compare by
     * code of their own: the JDK makes that of a record anew in each start, which takes milliseconds.
     */
    private record State(List<Long> progress, Set<CallId> calls) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof State state && state.progress.equals(progress) && state.calls.equals(calls);
        }

        @Override
        public int hashCode() {
            return 31 * progress.hashCode() + calls.hashCode();
        }
    }

    /** A thread that waits, of a rank that is in no call. */
    private record Other(int rank, Thread thread) {
        Deadlock.Waiter describe() {
            String at = StackTraces.programCall(thread.getStackTrace());
            return new Deadlock.Waiter(rank, thread.getName(), Standstill.NO_CALL, Deadlock.Waiter.ANYBODY, at);
        }
    }

    /** Ranks of which none goes on. */
    private record Picture(State state, List<Call> calls, List<Other> others) {
        Map<CallId, Long> looks() {
            Map<CallId, Long> looks = new HashMap<>();
            calls.forEach(call -> looks.put(call.id(), call.blocked().looks()));
            return looks;
        }

        /** Whether each call has looked once more since then, from the beginning of the look to its end. */
        boolean haveLookedSince(Map<CallId, Long> before) {
            return calls.stream()
                    .allMatch(call -> call.blocked().looks() >= before.getOrDefault(call.id(), Long.MAX_VALUE - 2) + 2);
        }
    }

    /**
     * Looks at the ranks; to be called a few times a second.
     *
     * @param sinceLast the time since the last call
     * @param asked what is asked
     * @return that they stand still, once for each question and each time that something about it changes
     */
    public Optional<Standstill> look(Duration sinceLast, Question asked) {
        Picture now = picture();
        if (now == null || !isAsBefore(now) || asked.fresh() != question.fresh()) {
            question = asked;
            beginAnew(now);
            return Optional.empty();
        }
        if (asked.round() != question.round()) {
            question = asked;
            said = false;
            looks = now.looks();
        }
        still = still.plus(sinceLast.compareTo(longestStep) < 0 ? sinceLast : longestStep);
        boolean isDue = said ? !known().isEmpty() && still.compareTo(nextCensus) >= 0 : still.compareTo(patience) >= 0;
        return isDue && now.haveLookedSince(looks) ? ask(now) : Optional.empty();
    }

    /** Whether what was last said still holds, as far as the last look tells. */
    public boolean hasSaid() {
        return said;
    }

    private boolean isAsBefore(@Nullable Picture now) {
        return now != null && now.state().equals(state);
    }

    private void beginAnew(@Nullable Picture now) {
        if (state != null) {
            epoch++;
        }
        state = now == null ? null : now.state();
        looks = now == null ? Map.of() : now.looks();
        still = Duration.ZERO;
        doubts = null;
        said = false;
    }

    private List<String> known() {
        return doubts == null ? List.of() : doubts;
    }

    /**
     * Asks the threads, which costs a tenth of a second the first time: a rank that waits long for others which compute is not to pay for
     * it. So it is done only when all processes have said that they stand still. If it changes nothing, the next time is as far away as the
     * first was.
     */
    private Optional<Standstill> ask(Picture before) {
        if (!question.confirms()) {
            said = true;
            return Optional.of(new Standstill(epoch, still, List.of(), List.of()));
        }
        Set<Thread> threads = new HashSet<>();
        before.calls().forEach(call -> threads.add(call.blocked().thread()));
        Census census = takeCensus.apply(threads);
        Picture after = picture();
        if (census.someoneRuns() || !isAsBefore(after)) {
            beginAnew(after);
            return Optional.empty();
        }
        List<String> found = new ArrayList<>(census.doubts());
        if (before.calls().isEmpty() || ranks.stream().anyMatch(ObservedRank::isOpen)) {
            // what a library of C or a thread of nobody's may do is not to be seen, and no message is missing
            before.others().forEach(other -> found.add("rank " + other.rank() + " waits in no call"));
        }
        nextCensus = still.plus(patience);
        boolean changed = doubts != null && !doubts.equals(found);
        if (said && !changed) {
            return Optional.empty();
        }
        if (changed) {
            epoch++;
        }
        doubts = found;
        said = true;
        return Optional.of(new Standstill(epoch, still, waiters(before), found));
    }

    // ---- looking

    /** The ranks as they are now; null if one of them goes on, or none is left. */
    private @Nullable Picture picture() {
        List<Long> progress = new ArrayList<>();
        List<Call> calls = new ArrayList<>();
        List<Other> others = new ArrayList<>();
        boolean some = false;
        for (ObservedRank rank : ranks) {
            if (rank.hasEnded()) {
                progress.add(-1L);
                continue;
            }
            some = true;
            RankMonitor monitor = rank.monitor();
            if (monitor == null) {
                return null;
            }
            progress.add(monitor.progress());
            List<RankMonitor.Blocked> blocked = monitor.blocked();
            blocked.forEach(call -> calls.add(new Call(rank.rank(), call)));
            if (blocked.isEmpty()) {
                Thread waiting = waiting(rank.threads());
                if (waiting == null) {
                    return null;
                }
                others.add(new Other(rank.rank(), waiting));
            }
        }
        Set<CallId> ids = new HashSet<>();
        calls.forEach(call -> ids.add(call.id()));
        return some ? new Picture(new State(progress, ids), calls, others) : null;
    }

    /** A thread that keeps a rank alive, if all of its threads wait for another one; else null. */
    private static @Nullable Thread waiting(List<Thread> threads) {
        Thread found = null;
        for (Thread thread : threads) {
            switch (thread.getState()) {
                case WAITING, BLOCKED -> found = found == null && !thread.isDaemon() ? thread : found;
                case TERMINATED -> {}
                case NEW, RUNNABLE, TIMED_WAITING -> {
                    return null;
                }
            }
        }
        return found;
    }

    private static List<Deadlock.Waiter> waiters(Picture picture) {
        List<Deadlock.Waiter> waiters = new ArrayList<>();
        picture.others().forEach(other -> waiters.add(other.describe()));
        for (Call call : picture.calls()) {
            RankMonitor.Blocked blocked = call.blocked();
            StackTraceElement[] stack = blocked.thread().getStackTrace();
            waiters.add(new Deadlock.Waiter(
                    call.rank(),
                    blocked.thread().getName(),
                    Positions.describe(blocked, stack),
                    blocked.peer() < 0 ? Deadlock.Waiter.ANYBODY : blocked.peer(),
                    StackTraces.programCall(stack),
                    blocked.collective()));
        }
        waiters.sort(Comparator.comparingInt(Deadlock.Waiter::rank).thenComparing(Deadlock.Waiter::thread));
        return waiters;
    }
}
