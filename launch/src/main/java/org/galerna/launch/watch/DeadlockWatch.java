package org.galerna.launch.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.StackTraces;
import org.galerna.link.RankMonitor;

/**
 * Notices that a job stands still for good: every rank that has not ended is blocked in a communication call, no
 * message has moved for some time, and no thread is left that could change it. Used by one thread.
 */
public final class DeadlockWatch {
    /** A look that comes later than this counts as one that came this late: the whole JVM may have been stopped. */
    private static final Duration LONGEST_STEP = Duration.ofMillis(250);

    private final List<? extends ObservedRank> ranks;
    private final Duration patience;
    private final Predicate<Set<Thread>> anybodyElseAlive;
    private long[] progress = {};
    private Duration still = Duration.ZERO;
    private Duration nextCensus;

    /**
     * A watch over the ranks of a job.
     *
     * @param patience how long nothing must have moved
     */
    public DeadlockWatch(List<? extends ObservedRank> ranks, Duration patience) {
        this(ranks, patience, new ThreadCensus(ranks)::anybodyElseAlive);
    }

    DeadlockWatch(List<? extends ObservedRank> ranks, Duration patience, Predicate<Set<Thread>> anybodyElseAlive) {
        this.ranks = List.copyOf(ranks);
        this.patience = patience;
        this.nextCensus = patience;
        this.anybodyElseAlive = anybodyElseAlive;
    }

    /**
     * Looks at the job; to be called a few times a second.
     *
     * @param sinceLast the time since the last call
     */
    public Optional<Deadlock> look(Duration sinceLast) {
        long[] now = progress();
        if (!allBlocked() || !Arrays.equals(now, progress)) {
            progress = now;
            still = Duration.ZERO;
            nextCensus = patience;
            return Optional.empty();
        }
        still = still.plus(sinceLast.compareTo(LONGEST_STEP) < 0 ? sinceLast : LONGEST_STEP);
        if (still.compareTo(nextCensus) < 0) {
            return Optional.empty();
        }
        // a census costs something: if it finds somebody alive, the next one is as far away as the first was
        nextCensus = still.plus(patience);
        List<Blocked> calls = calls();
        Set<Thread> threads = new HashSet<>();
        calls.forEach(call -> threads.add(call.call().thread()));
        if (anybodyElseAlive.test(threads) || !allBlocked() || !Arrays.equals(progress(), progress)) {
            return Optional.empty();
        }
        return Optional.of(describe(calls));
    }

    /** True if something had moved when the job was last looked at. */
    public boolean hasMoved() {
        return still.isZero();
    }

    /** A call and whose it is. */
    private record Blocked(int rank, RankMonitor.Blocked call) {}

    private boolean allBlocked() {
        boolean some = false;
        for (ObservedRank rank : ranks) {
            if (rank.hasEnded()) {
                continue;
            }
            RankMonitor monitor = rank.monitor();
            if (monitor == null || monitor.blocked().isEmpty()) {
                return false;
            }
            some = true;
        }
        return some;
    }

    /** For each rank the number of its messages, -1 before it has joined, -2 after its end. */
    private long[] progress() {
        return ranks.stream()
                .mapToLong(rank -> {
                    RankMonitor monitor = rank.monitor();
                    return rank.hasEnded() ? -2 : monitor == null ? -1 : monitor.progress();
                })
                .toArray();
    }

    private List<Blocked> calls() {
        List<Blocked> calls = new ArrayList<>();
        for (ObservedRank rank : ranks) {
            RankMonitor monitor = rank.monitor();
            if (!rank.hasEnded() && monitor != null) {
                monitor.blocked().forEach(call -> calls.add(new Blocked(rank.rank(), call)));
            }
        }
        calls.sort(Comparator.comparingInt(Blocked::rank)
                .thenComparing(call -> call.call().thread().getName()));
        return calls;
    }

    private Deadlock describe(List<Blocked> calls) {
        List<Deadlock.Waiter> waiters = calls.stream()
                .map(each -> new Deadlock.Waiter(
                        each.rank(),
                        each.call().thread().getName(),
                        each.call().operation(),
                        each.call().peer() < 0
                                ? Deadlock.Waiter.ANYBODY
                                : each.call().peer(),
                        StackTraces.programCall(each.call().thread().getStackTrace())))
                .toList();
        List<Integer> ended = ranks.stream()
                .filter(ObservedRank::hasEnded)
                .map(ObservedRank::rank)
                .toList();
        return new Deadlock(still, waiters, ended, cycle(waiters));
    }

    /** Ranks found on a walk along "waits for" that comes back to where it was; empty if every walk ends. */
    public static List<Integer> cycle(List<Deadlock.Waiter> waiters) {
        Map<Integer, List<Integer>> waitsFor = new TreeMap<>();
        for (Deadlock.Waiter waiter : waiters) {
            if (waiter.peer() != Deadlock.Waiter.ANYBODY) {
                waitsFor.computeIfAbsent(waiter.rank(), rank -> new ArrayList<>())
                        .add(waiter.peer());
            }
        }
        Set<Integer> done = new HashSet<>();
        for (Integer start : waitsFor.keySet()) {
            List<Integer> path = new ArrayList<>();
            List<Integer> cycle = walk(start, waitsFor, path, done);
            if (!cycle.isEmpty()) {
                return cycle;
            }
        }
        return List.of();
    }

    private static List<Integer> walk(
            Integer rank, Map<Integer, List<Integer>> waitsFor, List<Integer> path, Set<Integer> done) {
        int seen = path.indexOf(rank);
        if (seen >= 0) {
            return List.copyOf(path.subList(seen, path.size()));
        }
        if (!done.add(rank)) {
            return List.of();
        }
        path.add(rank);
        for (Integer peer : waitsFor.getOrDefault(rank, List.of())) {
            List<Integer> cycle = walk(peer, waitsFor, path, done);
            if (!cycle.isEmpty()) {
                return cycle;
            }
        }
        path.removeLast();
        return List.of();
    }
}
