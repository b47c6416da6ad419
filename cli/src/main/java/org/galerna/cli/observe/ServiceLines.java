package org.galerna.cli.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.galerna.link.counters.RankReport;
import org.jspecify.annotations.Nullable;

/** What {@code top} shows of a node of messaging, or of fast sockets: each figure, and each peer. */
final class ServiceLines {
    private static final String FIGURE = "%-24s %12s %8s";
    private static final String PEER = "%-8s %7s %6s %6s %6s %6s";

    private ServiceLines() {}

    /**
     * The lines.
     *
     * @param before the picture before; the same as {@code now} for what is there since the start
     */
    static List<String> of(RankReport before, RankReport now) {
        boolean first = before.equals(now);
        double seconds = Math.max(1, first ? now.upNanos() : now.upNanos() - before.upNanos()) / 1e9;
        List<String> lines = new ArrayList<>();
        lines.add(now.device() + (now.peers().isEmpty() ? "" : " node " + now.rank()) + " in process " + now.process()
                + (now.isAlive() ? "" : " (killed)"));
        lines.add("");
        lines.add(String.format(Locale.ROOT, FIGURE, "FIGURE", "NOW", "CHANGE/s"));
        now.figures().forEach((name, value) -> {
            long change = value - (first ? 0 : before.figures().getOrDefault(name, 0L));
            lines.add(
                    String.format(Locale.ROOT, FIGURE, name, value, change == 0 ? "" : Words.number(change / seconds)));
        });
        if (!now.peers().isEmpty()) {
            lines.add("");
            lines.add(String.format(Locale.ROOT, PEER, "PEER", "MSG/s", "SENT/s", "RECV/s", "SENT", "RECV"));
            Map<Integer, RankReport.Peer> earlier = first
                    ? Map.of()
                    : before.peers().stream().collect(Collectors.toMap(RankReport.Peer::peer, Function.identity()));
            now.peers().stream()
                    .sorted(Comparator.comparingInt(RankReport.Peer::peer))
                    .forEach(peer -> lines.add(line(earlier.get(peer.peer()), peer, seconds)));
        }
        return lines;
    }

    private static String line(RankReport.@Nullable Peer before, RankReport.Peer now, double seconds) {
        long messages = before == null ? 0 : before.sent().allMessages();
        long sent = before == null ? 0 : before.sent().allBytes();
        long received = before == null ? 0 : before.received().allBytes();
        return String.format(
                Locale.ROOT,
                PEER,
                now.peer() == RankReport.OTHERS ? "others" : now.peer(),
                Words.number((double) (now.sent().allMessages() - messages) / seconds),
                Words.number((double) (now.sent().allBytes() - sent) / seconds),
                Words.number((double) (now.received().allBytes() - received) / seconds),
                Words.number((double) now.sent().allBytes()),
                Words.number((double) now.received().allBytes()));
    }
}
