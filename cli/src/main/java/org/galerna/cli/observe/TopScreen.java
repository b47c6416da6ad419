package org.galerna.cli.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.galerna.launch.report.WaitCycle;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;

/**
 * What {@code top} shows of a job.
 *
 * @param columns longest line
 * @param rows most lines
 */
record TopScreen(int columns, int rows) {
    private static final int HEAD = 4;
    private static final int FOOT = 2;
    private static final int MOST_AWAITED = 4;
    private static final int ANY = -1;

    /** From here on a waiting call is worth a line of its own. */
    private static final long LONG_NANOS = 100_000_000;

    /** A rank, and what it has done since the picture before. */
    private record Moved(RankReport now, double seconds, long sent, long sentBytes, long receivedBytes, double waited) {
        static Moved of(RankReport before, RankReport now) {
            boolean first = before.equals(now);
            long nanos = first ? now.upNanos() : Math.max(1, now.upNanos() - before.upNanos());
            long waited = first ? now.waitedNanos() : now.waitedNanos() - before.waitedNanos();
            return new Moved(
                    now,
                    nanos / 1e9,
                    now.sentMessages() - (first ? 0 : before.sentMessages()),
                    now.sentBytes() - (first ? 0 : before.sentBytes()),
                    now.receivedBytes() - (first ? 0 : before.receivedBytes()),
                    Math.clamp((double) waited / nanos, 0, 1));
        }
    }

    /**
     * The lines.
     *
     * @param before the picture before; the same as {@code now} for sums since the start
     */
    List<String> lines(JobReport before, JobReport now) {
        List<String> lines = now.isService()
                ? ServiceLines.of(before.ranks().getFirst(), now.ranks().getFirst())
                : linesOfRanks(before, now);
        if (now.isService()) {
            lines.addFirst(title(now));
        }
        return lines.stream()
                .limit(rows)
                .map(line -> Words.cut(line.stripTrailing(), columns))
                .toList();
    }

    private List<String> linesOfRanks(JobReport before, JobReport now) {
        boolean first = before.equals(now);
        Map<Integer, RankReport> earlier = new HashMap<>();
        before.ranks().forEach(rank -> earlier.put(rank.rank(), rank));
        List<Moved> moved = now.ranks().stream()
                .map(rank -> Moved.of(first ? rank : earlier.getOrDefault(rank.rank(), rank), rank))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(title(now));
        lines.add(totals(now, moved));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%-8s %7s %6s %6s %6s %6s %6s %5s  %s",
                "RANK",
                "PID",
                "MSG/s",
                "SENT/s",
                "RECV/s",
                "SENT",
                "RECV",
                "COMM",
                "WAITS FOR"));
        int room = Math.max(1, rows - HEAD - FOOT);
        int together = (moved.size() + room - 1) / room;
        for (int from = 0; from < moved.size(); from += together) {
            lines.add(line(moved.subList(from, Math.min(moved.size(), from + together))));
        }
        String awaited = JobState.of(now) == JobState.BLOCKED && !cycle(now).isEmpty()
                ? cycle(now)
                : MostAwaited.line(Where.alive(now), TopScreen::longWait);
        if (!awaited.isEmpty()) {
            lines.add("");
            lines.add(awaited);
        }
        return lines;
    }

    private static String title(JobReport job) {
        RankReport first = job.ranks().getFirst();
        return "job " + job.id() + ", " + JobState.of(job).word() + ", since " + Words.since(job.startMillis()) + ": "
                + first.command();
    }

    private static String totals(JobReport job, List<Moved> moved) {
        int here = job.ranks().size();
        String ranks = here == job.size()
                ? here + (here == 1 ? " rank" : " ranks")
                : here + " of " + job.size() + " ranks (others have left or are on other hosts)";
        int processes = job.processes().size();
        String where = ranks + " on " + job.ranks().getFirst().device() + " in " + processes
                + (processes == 1 ? " process" : " processes");
        return !job.isAlive()
                ? where
                : where + "; " + Words.number(rate(moved, Moved::sent)) + " msg/s, "
                        + Words.bytes(rate(moved, Moved::sentBytes)) + "/s";
    }

    /** A figure of a rank. */
    private interface Figure {
        double of(Moved rank);
    }

    private static double rate(List<Moved> ranks, Figure figure) {
        return ranks.stream()
                .mapToDouble(rank -> figure.of(rank) / rank.seconds())
                .sum();
    }

    private static double sum(List<Moved> ranks, Figure figure) {
        return ranks.stream().mapToDouble(figure::of).sum();
    }

    private static String line(List<Moved> ranks) {
        RankReport first = ranks.getFirst().now();
        RankReport last = ranks.getLast().now();
        boolean alive = ranks.stream().anyMatch(rank -> rank.now().isAlive());
        double waited = ranks.stream().mapToDouble(Moved::waited).average().orElse(0);
        return String.format(
                Locale.ROOT,
                "%-8s %7s %6s %6s %6s %6s %6s %5s  %s",
                ranks.size() == 1 ? first.rank() : first.rank() + "-" + last.rank(),
                first.process() == last.process() ? first.process() : "",
                alive ? Words.number(rate(ranks, Moved::sent)) : "",
                alive ? Words.number(rate(ranks, Moved::sentBytes)) : "",
                alive ? Words.number(rate(ranks, Moved::receivedBytes)) : "",
                Words.number(sum(ranks, rank -> rank.now().sentBytes())),
                Words.number(sum(ranks, rank -> rank.now().receivedBytes())),
                alive ? String.format(Locale.ROOT, "%.0f%%", 100 * waited) : "",
                ranks.size() == 1 ? waitsFor(first) : waitsFor(ranks));
    }

    private static String waitsFor(RankReport rank) {
        if (!rank.isAlive()) {
            return "(killed)";
        }
        return longWait(rank)
                .map(waiting ->
                        peer(waiting.peer()) + ", " + waiting.kind().word() + ", " + Words.duration(waiting.nanos()))
                .orElse("");
    }

    /** The call of a rank that has waited longest, if it has waited for long. */
    private static Optional<RankReport.Waiting> longWait(RankReport rank) {
        return rank.waiting().stream()
                .filter(waiting -> waiting.nanos() >= LONG_NANOS)
                .max(Comparator.comparingLong(RankReport.Waiting::nanos));
    }

    private static String peer(int rank) {
        return rank < 0 ? "any" : String.valueOf(rank);
    }

    private static String waitsFor(List<Moved> ranks) {
        Map<Integer, Long> peers = new TreeMap<>();
        long killed = 0;
        for (Moved rank : ranks) {
            killed += rank.now().isAlive() ? 0 : 1;
            longWait(rank.now()).ifPresent(waiting -> peers.merge(Math.max(waiting.peer(), ANY), 1L, Long::sum));
        }
        String text = peers.entrySet().stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
                .limit(MOST_AWAITED)
                .map(peer -> peer(peer.getKey()) + (peer.getValue() > 1 ? " (" + peer.getValue() + " ranks)" : ""))
                .collect(Collectors.joining(", "));
        return killed == 0 ? text : text + (text.isEmpty() ? "" : ", ") + killed + " killed";
    }

    /** Ranks of which each waits for the next and the last for the first; empty if there are none. */
    private static String cycle(JobReport job) {
        List<Integer> cycle = WaitCycle.find(Where.waiters(job));
        return cycle.isEmpty()
                ? ""
                : "cycle: " + cycle.stream().map(rank -> rank + " \u2192 ").collect(Collectors.joining())
                        + cycle.getFirst();
    }
}
