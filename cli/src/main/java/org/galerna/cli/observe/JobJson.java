package org.galerna.cli.observe;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.MessageKind;
import org.galerna.link.counters.RankReport;

/** Jobs as JSON. */
final class JobJson {
    private JobJson() {}

    /** Jobs in a few words each. */
    static String list(List<JobReport> jobs) {
        return jobs.stream().map(job -> "  {" + head(job) + "}").collect(Collectors.joining(",\n", "[\n", "\n]"));
    }

    /** All counters of a job. */
    static String counters(JobReport job) {
        String ranks = job.ranks().stream().map(JobJson::rank).collect(Collectors.joining(",\n", "[\n", "\n]"));
        return "{" + head(job) + ", \"counters\": " + ranks + "}";
    }

    private static String head(JobReport job) {
        RankReport first = job.ranks().getFirst();
        return "\"id\": " + text(job.id()) + ", \"job\": " + text(first.job()) + ", \"state\": "
                + text(JobState.of(job).word()) + ", \"command\": " + text(first.command()) + ", \"device\": "
                + text(first.device()) + ", \"ranks\": " + job.size() + ", \"ranksHere\": "
                + job.ranks().size() + ", \"processes\": " + job.processes() + ", \"startMillis\": "
                + job.startMillis();
    }

    private static String rank(RankReport rank) {
        String peers = rank.peers().stream().map(JobJson::peer).collect(Collectors.joining(",\n      ", "[", "]"));
        String waits = rank.waits().stream()
                .filter(each -> each.number() > 0)
                .map(each -> text(each.kind().word()) + ": {\"number\": " + each.number() + ", \"seconds\": "
                        + seconds(each.nanos()) + "}")
                .collect(Collectors.joining(", ", "{", "}"));
        String waiting = rank.waiting().stream()
                .map(call -> "{\"kind\": " + text(call.kind().word()) + ", \"peer\": " + call.peer() + ", \"seconds\": "
                        + seconds(call.nanos()) + ", \"call\": " + text(call.text()) + "}")
                .collect(Collectors.joining(", ", "[", "]"));
        return "    {\"rank\": " + rank.rank() + ", \"process\": " + rank.process() + ", \"alive\": " + rank.isAlive()
                + ", \"upSeconds\": " + seconds(rank.upNanos()) + ", \"waitedSeconds\": "
                + seconds(rank.waitedNanos()) + ", \"sentMessages\": " + rank.sentMessages() + ", \"sentBytes\": "
                + rank.sentBytes() + ", \"receivedMessages\": " + rank.receivedMessages() + ", \"receivedBytes\": "
                + rank.receivedBytes() + ", \"mostUnexpected\": " + rank.mostUnexpected()
                + ", \"heapOperations\": " + rank.heapOperations() + ",\n      \"waits\": " + waits
                + ",\n      \"waiting\": " + waiting + ",\n      \"figures\": " + figures(rank) + ",\n      \"peers\": "
                + peers + "}";
    }

    private static String figures(RankReport rank) {
        return rank.figures().entrySet().stream()
                .map(figure -> text(figure.getKey()) + ": " + figure.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String peer(RankReport.Peer peer) {
        return "{\"peer\": " + peer.peer() + ", \"sent\": " + flow(peer.sent()) + ", \"received\": "
                + flow(peer.received()) + ", \"announced\": " + peer.announced() + ", \"announcedBytes\": "
                + peer.announcedBytes() + ", \"receivedAnnounced\": " + peer.receivedAnnounced()
                + ", \"receivedAnnouncedBytes\": " + peer.receivedAnnouncedBytes() + ", \"creditStalls\": "
                + peer.stalls() + ", \"unexpected\": " + peer.unexpected() + "}";
    }

    private static String flow(RankReport.Flow flow) {
        StringBuilder text = new StringBuilder("{");
        for (MessageKind kind : MessageKind.values()) {
            if (flow.messages().get(kind.place()) > 0) {
                text.append(text.length() > 1 ? ", " : "")
                        .append(text(kind.word()))
                        .append(": {\"messages\": ")
                        .append(flow.messages().get(kind.place()))
                        .append(", \"bytes\": ")
                        .append(flow.bytes().get(kind.place()))
                        .append('}');
            }
        }
        return text.append('}').toString();
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.6f", nanos / 1e9);
    }

    private static String text(String value) {
        StringBuilder text = new StringBuilder("\"");
        value.chars().forEach(each -> {
            switch (each) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                default -> {
                    if (each < ' ') {
                        text.append(String.format(Locale.ROOT, "\\u%04x", each));
                    } else {
                        text.append((char) each);
                    }
                }
            }
        });
        return text.append('"').toString();
    }
}
