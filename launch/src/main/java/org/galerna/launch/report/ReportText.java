package org.galerna.launch.report;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The outcomes in words. Every report begins with {@code galerna: }, so that it is told apart from output. */
final class ReportText {
    private static final int DEEPEST_STACK = 30;

    private ReportText() {}

    static String of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> "";
            case Outcome.NotStarted notStarted -> line(notStarted.reason());
            case Outcome.Exited exited ->
                line("rank " + exited.rank() + " has ended the job with exit status " + exited.status());
            case Outcome.Aborted aborted ->
                line("rank " + aborted.rank() + " has aborted the job with status " + aborted.status() + ": "
                        + aborted.reason());
            case Outcome.Failed failed ->
                line("rank " + failed.rank() + " has failed: uncaught exception in thread " + failed.thread())
                        + StackTraces.text(failed.exception());
            case Outcome.TimedOut timedOut ->
                line("the job has not ended within " + seconds(timedOut.limit()) + "; where its ranks are:")
                        + positions(timedOut.positions());
            case Outcome.Deadlocked deadlocked -> deadlock(deadlocked.deadlock());
            case Outcome.Interrupted interrupted -> line("interrupted");
        };
    }

    private static String line(String text) {
        return "galerna: " + text + "\n";
    }

    /** {@code 1.5 s}. */
    static String seconds(Duration duration) {
        double seconds = duration.toMillis() / 1000.0;
        return seconds == Math.rint(seconds)
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : String.format(Locale.ROOT, "%.1f s", seconds);
    }

    private static String positions(List<RankPosition> positions) {
        StringBuilder text = new StringBuilder();
        for (RankPosition position : positions) {
            if (position.ended()) {
                text.append("rank ").append(position.rank()).append(" has ended\n");
            }
            for (ThreadPosition thread : position.threads()) {
                text.append("rank ").append(position.rank());
                if (!thread.thread().equals("rank-" + position.rank())) {
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

    private static String deadlock(Deadlock deadlock) {
        StringBuilder text = new StringBuilder(line("deadlock: every rank that has not ended waits for a message,"
                + " and nothing has moved for " + seconds(deadlock.lasting())));
        int width = deadlock.waiters().stream()
                .mapToInt(waiter -> waiter.operation().length())
                .max()
                .orElse(0);
        for (Deadlock.Waiter waiter : deadlock.waiters()) {
            String peer = waiter.peer() == Deadlock.Waiter.ANYBODY
                    ? "anybody"
                    : "rank " + waiter.peer() + (deadlock.ended().contains(waiter.peer()) ? " (ended)" : "");
            text.append(String.format(Locale.ROOT, "  rank %-3d waits for %-14s", waiter.rank(), peer))
                    .append("in ")
                    .append(pad(waiter.operation(), width));
            if (!waiter.at().isEmpty()) {
                text.append("  at ").append(waiter.at());
            }
            if (!waiter.thread().equals("rank-" + waiter.rank())) {
                text.append("  (thread ").append(waiter.thread()).append(')');
            }
            text.append('\n');
        }
        if (!deadlock.ended().isEmpty()) {
            text.append("  ended: rank ").append(join(deadlock.ended(), ", ")).append('\n');
        }
        if (!deadlock.cycle().isEmpty()) {
            text.append("  cycle: ")
                    .append(join(deadlock.cycle(), " \u2192 "))
                    .append(" \u2192 ")
                    .append(deadlock.cycle().getFirst())
                    .append('\n');
        }
        return text.toString();
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static String join(List<Integer> ranks, String separator) {
        return ranks.stream().map(String::valueOf).collect(Collectors.joining(separator));
    }
}
