package org.galerna.launch.report;

import java.nio.channels.OverlappingFileLockException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.galerna.link.MissedCollective;
import org.jspecify.annotations.Nullable;

/** The outcomes in words. Every report begins with {@code galerna: }, so that it is told apart from output. */
final class ReportText {
    private static final int DEEPEST_STACK = 30;

    private final List<String> hosts;

    /**
     * Words for one job.
     *
     * @param hosts the host of each rank; empty if that goes without saying
     */
    ReportText(List<String> hosts) {
        this.hosts = hosts;
    }

    /** {@code rank 2}, or {@code rank 2 on host b}. */
    private String name(int rank) {
        return rank < hosts.size() ? "rank " + rank + " on host " + hosts.get(rank) : "rank " + rank;
    }

    String of(Outcome outcome) {
        if (outcome instanceof Outcome.Completed) {
            return ""; // ahead of the switch, for which the virtual machine writes a class
        }
        return switch (outcome) {
            case Outcome.Completed completed -> "";
            case Outcome.NotStarted notStarted -> line(notStarted.reason());
            case Outcome.Exited exited ->
                line(name(exited.rank()) + " has ended the job with exit status " + exited.status());
            case Outcome.Aborted aborted ->
                line(name(aborted.rank()) + " has aborted the job with status " + aborted.status() + ": "
                        + aborted.reason());
            case Outcome.Failed failed ->
                failure(failed.rank(), failed.thread(), StackTraces.text(failed.exception()), failed.missed())
                        + advice(failed.exception());
            case Outcome.FailedElsewhere failed ->
                failure(failed.rank(), failed.thread(), failed.text(), failed.missed());
            case Outcome.Killed killed ->
                killed.ranks().stream().map(this::kill).collect(Collectors.joining())
                        + (isConsequence(killed.otherwise()) ? "" : of(killed.otherwise()));
            case Outcome.HostLost lost -> line("host " + lost.host() + " is lost, and the job with it: " + lost.how());
            case Outcome.TimedOut timedOut ->
                line("the job has not ended within " + seconds(timedOut.limit()) + "; where its ranks are:")
                        + where(timedOut.positions());
            case Outcome.Deadlocked deadlocked -> deadlock(deadlocked.deadlock());
            case Outcome.Interrupted interrupted ->
                interrupted.positions().isEmpty()
                        ? line("interrupted")
                        : line("the job was interrupted; where its ranks were:") + where(interrupted.positions());
        };
    }

    private String failure(int rank, String thread, String exception, @Nullable MissedCollective missed) {
        if (missed != null) {
            // not the fault of the rank that fails
            return line(missed.describe()) + StackTraces.withoutHead(exception);
        }
        return "galerna: " + name(rank) + " has failed" + (isMain(thread, rank) ? "" : " in thread " + thread) + ": "
                + exception;
    }

    /** Whether it is told by what has been said already. */
    private static boolean isConsequence(Outcome outcome) {
        return outcome instanceof Outcome.FailedElsewhere failed && failed.byLostPeer();
    }

    private String kill(KilledRank killed) {
        return line(name(killed.rank()) + " was killed by " + SignalNames.of(killed.signal()));
    }

    String ofUnfinished(List<Integer> ranks) {
        if (ranks.isEmpty()) {
            return "";
        }
        return line((ranks.size() == 1 ? name(ranks.getFirst()) + " has" : "ranks " + join(ranks, ", ") + " have")
                + " ended without MPI.Finalize");
    }

    private static String advice(Throwable exception) {
        if (exception instanceof OutOfMemoryError) {
            return line("all ranks share a heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                    + " MiB; -Xmx makes it larger, e.g. -Xmx4g");
        }
        Throwable cause = exception;
        for (int depth = 0; cause != null && depth < DEEPEST_STACK; depth++) {
            if (isOfOneForAllRanks(cause)) {
                return line("ranks are threads here, and the JVM has one of these for all of them; with --procs each"
                        + " rank is a process, which has its own");
            }
            cause = cause.getCause();
        }
        return "";
    }

    /** What the JDK throws when a second one asks for what it has once, wherever ranks have not been given their own. */
    private static boolean isOfOneForAllRanks(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        return cause instanceof OverlappingFileLockException
                || (cause instanceof UnsatisfiedLinkError && text.contains("already loaded in another classloader"))
                || (cause.getClass() == Error.class && text.equals("factory already defined"))
                // a second registry of RMI; by its name, since not every program has that module
                || (cause.getClass().getName().equals("java.rmi.server.ExportException")
                        && text.contains("ObjID already in use"));
    }

    private static String line(String text) {
        return "galerna: " + text + "\n";
    }

    /** {@code 1.5 s}. */
    static String seconds(Duration duration) {
        double seconds = Math.round(duration.toMillis() / 100.0) / 10.0;
        return String.format(Locale.ROOT, seconds == Math.rint(seconds) ? "%.0f s" : "%.1f s", seconds);
    }

    private String positions(List<RankPosition> positions) {
        StringBuilder text = new StringBuilder();
        for (RankPosition position : positions) {
            if (position.ended()) {
                text.append(name(position.rank())).append(" has ended\n");
            }
            for (ThreadPosition thread : position.threads()) {
                text.append(name(position.rank()));
                if (!isMain(thread.thread(), position.rank())) {
                    text.append(", thread ").append(thread.thread());
                }
                text.append(", ").append(thread.state()).append('\n');
                thread.frames().stream()
                        .limit(DEEPEST_STACK)
                        .forEach(frame -> text.append("    at ")
                                .append(StackTraces.text(frame))
                                .append('\n'));
            }
        }
        return text.toString();
    }

    private String deadlock(Deadlock deadlock) {
        StringBuilder text = new StringBuilder(line("deadlock: every rank that has not ended waits for a message,"
                + " and nothing has moved for " + seconds(deadlock.lasting())));
        int peerWidth = width(deadlock, waiter -> peer(waiter, deadlock));
        int operationWidth = width(deadlock, Deadlock.Waiter::operation);
        int ownWidth = width(deadlock, waiter -> own(waiter.rank()));
        for (Deadlock.Waiter waiter : deadlock.waiters()) {
            text.append("  ")
                    .append(pad(own(waiter.rank()), ownWidth))
                    .append(" waits for ")
                    .append(pad(peer(waiter, deadlock), peerWidth))
                    .append("  in ")
                    .append(pad(waiter.operation(), operationWidth));
            if (!waiter.at().isEmpty()) {
                text.append("  at ").append(waiter.at());
            }
            if (!isMain(waiter.thread(), waiter.rank())) {
                text.append("  (thread ").append(waiter.thread()).append(')');
            }
            text.append('\n');
        }
        MismatchText.of(deadlock.waiters())
                .ifPresent(
                        mismatch -> text.append("  mismatch: ").append(mismatch).append('\n'));
        if (!deadlock.ended().isEmpty()) {
            text.append("  ended: rank ").append(join(deadlock.ended(), ", ")).append('\n');
        }
        return text.append(cycle(deadlock.cycle())).toString();
    }

    private static String cycle(List<Integer> ranks) {
        return ranks.isEmpty() ? "" : "  cycle: " + join(ranks, " \u2192 ") + " \u2192 " + ranks.getFirst() + "\n";
    }

    /** Where the ranks of a job are that goes on. */
    String where(List<RankPosition> positions) {
        List<Deadlock.Waiter> waiters = new ArrayList<>();
        for (RankPosition position : positions) {
            for (ThreadPosition thread : position.threads()) {
                if (thread.awaited() != ThreadPosition.NOBODY) {
                    waiters.add(new Deadlock.Waiter(position.rank(), thread.thread(), "", thread.awaited(), ""));
                }
            }
        }
        return positions(positions) + cycle(WaitCycle.find(waiters));
    }

    /** Whether that goes without saying. */
    private static boolean isMain(String thread, int rank) {
        return thread.equals("rank-" + rank) || thread.equals("main");
    }

    private String own(int rank) {
        return hosts.isEmpty() ? String.format(Locale.ROOT, "rank %-3d", rank) : name(rank);
    }

    private String peer(Deadlock.Waiter waiter, Deadlock deadlock) {
        if (waiter.peer() == Deadlock.Waiter.ANYBODY) {
            return "anybody";
        }
        return name(waiter.peer()) + (deadlock.ended().contains(waiter.peer()) ? " (ended)" : "");
    }

    private static int width(Deadlock deadlock, Function<Deadlock.Waiter, String> column) {
        return deadlock.waiters().stream()
                .map(column)
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static String join(List<Integer> ranks, String separator) {
        return ranks.stream().map(String::valueOf).collect(Collectors.joining(separator));
    }
}
