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
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.KilledRank;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.report.RankPosition;
import org.galerna.launch.report.SignalNames;
import org.galerna.launch.report.ThreadPosition;
import org.galerna.launch.watch.DeadlockDecision;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.galerna.launch.watch.Standstill;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from what the agents tell how a job has ended. News from several processes come in any order, and the death of
 * a rank makes others fail: so a failure is held back for a moment, in which its cause may become known. Used by the
 * thread that runs the job, except {@link #isDecided}.
 */
final class OutcomeResolver {
    /** How long a failure waits for a better explanation. */
    private static final long GRACE_NANOS = Duration.ofMillis(300).toNanos();

    private static final Duration PATIENCE_WITH_ANSWERS = Duration.ofSeconds(1);

    /** Signals that a terminal or a system sends to all processes of a job alike. */
    private static final Set<Integer> FOR_EVERYBODY = Set.of(1, 2, 15);

    private final Duration timeout;
    /** By the first rank of each. */
    private final NavigableMap<Integer, Member> processes = new TreeMap<>();

    private final DeadlockDecision standing;
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

        Member(int first, int end) {
            this.end = end;
            this.silent = end - first;
        }

        /** All ranks have said that they end by themselves. */
        boolean saidGoodbye() {
            return silent == 0;
        }
    }

    OutcomeResolver(ProcessJob.Builder job, Layout layout) {
        this.timeout = job.timeout();
        for (Layout.Share share : layout.shares()) {
            int end = share.first() + share.ranks();
            for (int rank = share.first(); rank < end; rank += job.ranksPerProcess) {
                processes.put(rank, new Member(rank, Math.min(end, rank + job.ranksPerProcess)));
            }
        }
        this.standing = new DeadlockDecision(processes.keySet());
    }

    /** True once the reason for the end of the job is known. Any thread may call. */
    boolean isDecided() {
        return outcome != null;
    }

    /** True once {@link #look} is going to end the job, which may wait for a better reason. */
    boolean isAboutToDecide() {
        return pending != null;
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

    /** True unless the job was ended from outside, for somebody who does not want to wait. */
    boolean waitsForReaders() {
        Outcome how = outcome();
        Outcome cause = how instanceof Outcome.Killed kill ? kill.otherwise() : how;
        return !(cause instanceof Outcome.Interrupted || cause instanceof Outcome.TimedOut);
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

    /** A failure; one that is a consequence of another rank's end gives way to one that is not. */
    void failed(Outcome.FailedElsewhere failure, long now) {
        failed.add(failure.rank());
        if (pending instanceof Outcome.FailedElsewhere known && known.isSame(failure)) {
            pending = known.with(failure);
            return;
        }
        boolean better =
                pending instanceof Outcome.FailedElsewhere known && known.byLostPeer() && !failure.byLostPeer();
        if (pending == null || better || followsFromEndOf(failure.rank(), pending)) {
            pending = failure;
            pendingSince = now;
        }
    }

    /**
     * Whether a rank has failed because another one was gone, whose own failure is told later: news of two processes come in
     * any order. A device says in these words which rank it misses.
     */
    private static boolean followsFromEndOf(int rank, Outcome outcome) {
        return outcome instanceof Outcome.FailedElsewhere failure
                && failure.rank() != rank
                && (failure.text().contains("because rank " + rank + " is gone")
                        || (failure.missed() != null && failure.missed().leaver() == rank));
    }

    /** A rank that shares its process ends the job by its exit. */
    void exited(int rank, int status, long now) {
        failed.add(rank);
        pending = new Outcome.Exited(rank, status);
        pendingSince = now - GRACE_NANOS;
    }

    void goodbye(int rank, boolean isUnfinished) {
        member(rank).silent--;
        standing.ends(rank);
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
        for (int each = rank; each < member.end; each++) {
            standing.ends(each);
        }
        standing.gone(rank);
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

    /** A process stands still; its first rank, and the round of the question that it answers. */
    void standsStill(int rank, long round, Standstill standstill) {
        standing.says(rank, round, standstill);
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
        return Optional.empty();
    }

    /** What follows from the processes that stand still. */
    Optional<Conclusion> aboutStanding() {
        return isDecided() || pending != null || askedAt != 0 ? Optional.empty() : standing.conclude();
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
}
