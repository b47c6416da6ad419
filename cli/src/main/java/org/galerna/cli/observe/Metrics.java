package org.galerna.cli.observe;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.MessageKind;
import org.galerna.link.counters.RankReport;

/** The counters of a job in the text format of Prometheus. */
final class Metrics {
    private final StringBuilder text = new StringBuilder();
    private final JobReport job;

    private Metrics(JobReport job) {
        this.job = job;
    }

    static String of(JobReport job) {
        Metrics metrics = new Metrics(job);
        metrics.flow("sent", RankReport.Peer::sent);
        metrics.flow("received", RankReport.Peer::received);
        metrics.ofPeers("rendezvous_sent_messages_total", "Messages sent by rendezvous.", RankReport.Peer::announced);
        metrics.ofPeers("rendezvous_sent_bytes_total", "Their bytes.", RankReport.Peer::announcedBytes);
        metrics.ofPeers(
                "credit_stalls_total", "Messages not sent eagerly for lack of credit.", RankReport.Peer::stalls);
        metrics.ofPeers(
                "unexpected_messages_total", "Messages that came before their receive.", RankReport.Peer::unexpected);
        metrics.ofRanks(
                "unexpected_messages_most",
                "gauge",
                "Most messages at once without a receive.",
                RankReport::mostUnexpected);
        metrics.ofRanks(
                "heap_operations_total", "counter", "Operations over a common heap.", RankReport::heapOperations);
        metrics.waits();
        metrics.figures();
        metrics.ofRanks("up", "gauge", "Whether the process of the rank is there.", rank -> rank.isAlive() ? 1 : 0);
        return metrics.text.toString();
    }

    private void head(String name, String type, String help) {
        text.append("# HELP galerna_").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE galerna_").append(name).append(' ').append(type).append('\n');
    }

    private void line(String name, RankReport rank, String labels, Object value) {
        text.append("galerna_")
                .append(name)
                .append("{job=\"")
                .append(job.id())
                .append("\",rank=\"")
                .append(rank.rank())
                .append('"')
                .append(labels)
                .append("} ")
                .append(value)
                .append('\n');
    }

    private static String peer(RankReport.Peer peer) {
        return ",peer=\"" + (peer.peer() == RankReport.OTHERS ? "others" : String.valueOf(peer.peer())) + "\"";
    }

    /** What flows of a row there are. */
    private interface Flows {
        RankReport.Flow of(RankReport.Peer peer);
    }

    private void flow(String direction, Flows flows) {
        head(direction + "_messages_total", "counter", "Messages " + direction + ".");
        kinds(direction + "_messages_total", flows, RankReport.Flow::messages);
        head(direction + "_bytes_total", "counter", "Bytes " + direction + ".");
        kinds(direction + "_bytes_total", flows, RankReport.Flow::bytes);
    }

    /** The figures of a flow. */
    private interface Figures {
        List<Long> of(RankReport.Flow flow);
    }

    private void kinds(String name, Flows flows, Figures figures) {
        for (RankReport rank : job.ranks()) {
            for (RankReport.Peer peer : rank.peers()) {
                RankReport.Flow flow = flows.of(peer);
                for (MessageKind kind : MessageKind.values()) {
                    if (flow.messages().get(kind.place()) > 0) {
                        line(
                                name,
                                rank,
                                peer(peer) + ",kind=\"" + kind.word() + "\"",
                                figures.of(flow).get(kind.place()));
                    }
                }
            }
        }
    }

    private void ofPeers(String name, String help, ToLongFunction<RankReport.Peer> value) {
        head(name, "counter", help);
        for (RankReport rank : job.ranks()) {
            for (RankReport.Peer peer : rank.peers()) {
                if (value.applyAsLong(peer) > 0) {
                    line(name, rank, peer(peer), value.applyAsLong(peer));
                }
            }
        }
    }

    private void ofRanks(String name, String type, String help, ToLongFunction<RankReport> value) {
        head(name, type, help);
        job.ranks().forEach(rank -> line(name, rank, "", value.applyAsLong(rank)));
    }

    private void waits() {
        head("waits_total", "counter", "Calls that have waited.");
        for (RankReport rank : job.ranks()) {
            rank.waits().forEach(waits -> line("waits_total", rank, kind(waits), waits.number()));
        }
        head("wait_seconds_total", "counter", "Time that calls have waited.");
        for (RankReport rank : job.ranks()) {
            rank.waits()
                    .forEach(waits -> line(
                            "wait_seconds_total",
                            rank,
                            kind(waits),
                            String.format(Locale.ROOT, "%.6f", waits.nanos() / 1e9)));
        }
    }

    private void figures() {
        head("figure", "untyped", "What a node of messaging, fast sockets or a rank counts beside, by its name.");
        for (RankReport rank : job.ranks()) {
            rank.figures().forEach((name, value) -> line("figure", rank, ",name=\"" + name + "\"", value));
        }
    }

    private static String kind(RankReport.Waits waits) {
        return ",call=\"" + waits.kind().word() + "\"";
    }
}
