package org.galerna.launch.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.galerna.launch.rendezvous.FieldReader;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.KilledRank;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.report.RankPosition;
import org.galerna.launch.report.SignalNames;
import org.galerna.launch.report.ThreadPosition;
import org.galerna.launch.watch.DeadlockWatch;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from what the agents tell how a job has ended. News from several processes come in any order, and the death of
 * a rank makes others fail: so a failure is held back for a moment, in which its cause may become known. Used by the
 * thread that runs the job, except {@link #isDecided}.
 */
final class Verdict {
    /** How long a failure waits for a better explanation. */
    private static final long GRACE_NANOS = Duration.ofMillis(300).toNanos();

    private static final Duration PATIENCE_WITH_ANSWERS = Duration.ofSeconds(1);

    /** What it takes a rank to tell that it goes on again. */
    private static final Duration DELAY_OF_NEWS = Duration.ofMillis(500);

    /** How much later than the patience the same rank may say again that it stands still. */
    private static final Duration DELAY_OF_REPETITION = Duration.ofSeconds(2);

    /** Signals that a terminal or a system sends to all processes of a job alike. */
    private static final Set<Integer> FOR_EVERYBODY = Set.of(1, 2, 15);

    private final Duration timeout;
    private final Duration deadlockTimeout;
    /** By the first rank of each. */
    private final NavigableMap<Integer, Member> processes = new TreeMap<>();

    private final Set<Integer> unfinished = new TreeSet<>();
    private final Set<Integer> failed = new HashSet<>();
    private final List<KilledRank> killed = new ArrayList<>();
    private final List<RankPosition> positions = new ArrayList<>();
    private long askedAt;
    private @Nullable Outcome pending;
    private long pendingSince;
    private volatile @Nullable Outcome outcome;

    /** What is known of a process. */
    private static final class Member {
        private final int end;
        private int silent;
        private boolean ended;
        private long standsSince;
        private long heardAt;
        private List<Deadlock.Waiter> waiters = List.of();

        Member(int first, int end) {
            this.end = end;
            this.silent = end - first;
        }

        /** All ranks have said that they end by themselves. */
        boolean saidGoodbye() {
            return silent == 0;
        }
    }

    Verdict(ProcessJob.Builder job, Layout layout) {
        this.timeout = job.timeout;
        this.deadlockTimeout = job.deadlockTimeout;
        for (Layout.Share share : layout.shares()) {
            int end = share.first() + share.ranks();
            for (int rank = share.first(); rank < end; rank += job.ranksPerProcess) {
                processes.put(rank, new Member(rank, Math.min(end, rank + job.ranksPerProcess)));
            }
        }
    }

    /** True once the reason for the end of the job is known. Any thread may call. */
    boolean isDecided() {
        return outcome != null;
    }

    /** The first call decides. */
    boolean decide(Outcome how) {
        if (isDecided()) {
            return false;
        }
        outcome = killed.isEmpty() ? how : new Outcome.Killed(killed, how);
        return true;
    }

    Outcome outcome() {
        Outcome how = outcome;
        return how == null ? new Outcome.Completed() : how;
    }

    List<Integer> unfinished() {
        return List.copyOf(unfinished);
    }

    /** All processes have ended: what has been held back counts. */
    void allEnded() {
        decide(pending == null ? new Outcome.Completed() : pending);
    }

    /** True if all that is known are ranks that were ended by a signal that this process is likely to get, too. */
    boolean awaitsSignal() {
        return !isDecided()
                && pending == null
                && killed.stream().anyMatch(each -> FOR_EVERYBODY.contains(each.signal()));
    }

    // ---- news

    void failed(int rank, FieldReader fields, long now) {
        failed.add(rank);
        if (pending == null) {
            pending = new Outcome.FailedElsewhere(rank, fields.text(), fields.text());
            pendingSince = now;
        }
    }

    /** A rank that shares its process ends the job by its exit. */
    void exited(int rank, int status, long now) {
        failed.add(rank);
        pending = new Outcome.Exited(rank, status);
        pendingSince = now - GRACE_NANOS;
    }

    void goodbye(int rank, boolean isUnfinished) {
        member(rank).silent--;
        if (isUnfinished && !isDecided() && !failed.contains(rank)) {
            unfinished.add(rank);
        }
    }

    /**
     * A process has ended.
     *
     * @param rank its first rank
     * @param status as the system has it
     * @return how the ranks of the process have ended, if others may like to know
     */
    Optional<String> ended(int rank, int status, long now) {
        Member member = member(rank);
        member.ended = true;
        if (status == 0 || isDecided()) {
            return Optional.empty();
        }
        for (int each = rank; each < member.end; each++) {
            unfinished.remove(each);
        }
        int signal = status - ExitStatus.SIGNAL;
        if (signal > 0 && (!member.saidGoodbye() || FOR_EVERYBODY.contains(signal))) {
            for (int each = rank; each < member.end; each++) {
                killed.add(new KilledRank(each, signal));
            }
            return Optional.of("it was killed by " + SignalNames.of(signal));
        }
        boolean known = failed.stream().anyMatch(each -> each >= rank && each < member.end);
        if (!known) {
            // whoever has failed meanwhile may have done so because of this
            pending = new Outcome.Exited(rank, status);
            pendingSince = now - GRACE_NANOS;
        }
        return Optional.empty();
    }

    /** The ranks of a process: its first one, and the one behind its last. */
    int endOf(int rank) {
        return member(rank).end;
    }

    void standsStill(int rank, long nanos, List<Deadlock.Waiter> waiters, long now) {
        Member member = member(rank);
        member.standsSince = now - nanos;
        member.heardAt = now;
        member.waiters = waiters;
    }

    void moves(int rank) {
        member(rank).waiters = List.of();
    }

    /** Notes that the ranks are asked where they are; false if that was done before. */
    boolean askWhere(long now) {
        boolean first = askedAt == 0 && !isDecided();
        if (first) {
            askedAt = now;
        }
        return first;
    }

    void isAt(List<RankPosition> where) {
        positions.addAll(where);
    }

    private Member member(int rank) {
        Map.Entry<Integer, Member> member = processes.floorEntry(rank);
        if (member == null || rank >= member.getValue().end) {
            throw new IllegalArgumentException("there is no rank " + rank);
        }
        return member.getValue();
    }

    // ---- conclusions

    /** Why the job is to be ended now, if it is. */
    Optional<Outcome> look(long now) {
        if (isDecided()) {
            return Optional.empty();
        }
        if (pending != null && now - pendingSince >= GRACE_NANOS) {
            return Optional.of(pending);
        }
        if (askedAt != 0 && (allAnswered() || now - askedAt >= PATIENCE_WITH_ANSWERS.toNanos())) {
            return Optional.of(new Outcome.TimedOut(timeout, allPositions()));
        }
        return deadlock(now).map(Outcome.Deadlocked::new);
    }

    private boolean allAnswered() {
        return processes.entrySet().stream()
                .allMatch(each -> each.getValue().ended
                        || positions.stream().anyMatch(position -> position.rank() == each.getKey()));
    }

    private List<RankPosition> allPositions() {
        List<RankPosition> all = new ArrayList<>(positions);
        processes.forEach((first, member) -> {
            for (int rank = first; rank < member.end; rank++) {
                int absent = rank;
                if (positions.stream().noneMatch(position -> position.rank() == absent)) {
                    all.add(new RankPosition(rank, member.ended, member.ended ? List.of() : silent(rank)));
                }
            }
        });
        all.sort(Comparator.comparingInt(RankPosition::rank));
        return all;
    }

    private static List<ThreadPosition> silent(int rank) {
        return List.of(new ThreadPosition("rank-" + rank, "does not answer", List.of()));
    }

    /** All processes that have not ended have stood still at the same time, for long enough. */
    private Optional<Deadlock> deadlock(long now) {
        long since = Long.MIN_VALUE;
        List<Deadlock.Waiter> waiters = new ArrayList<>();
        for (Member member : processes.values()) {
            if (member.ended) {
                continue;
            }
            long longest = deadlockTimeout.plus(DELAY_OF_REPETITION).toNanos();
            if (member.waiters.isEmpty() || now - member.heardAt > longest) {
                return Optional.empty();
            }
            since = Math.max(since, member.standsSince);
            waiters.addAll(member.waiters);
        }
        if (waiters.isEmpty()
                || now - since < deadlockTimeout.plus(DELAY_OF_NEWS).toNanos()) {
            return Optional.empty();
        }
        List<Integer> ended = new ArrayList<>();
        processes.forEach((first, member) -> {
            for (int rank = first; member.ended && rank < member.end; rank++) {
                ended.add(rank);
            }
        });
        return Optional.of(new Deadlock(Duration.ofNanos(now - since), waiters, ended, DeadlockWatch.cycle(waiters)));
    }
}
