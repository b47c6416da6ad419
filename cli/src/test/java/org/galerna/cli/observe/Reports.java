package org.galerna.cli.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;
import org.galerna.link.counters.WaitKind;

/** Jobs for tests. */
final class Reports {
    private Reports() {}

    static final RankReport.Flow NOTHING = new RankReport.Flow(List.of(0L, 0L, 0L, 0L), List.of(0L, 0L, 0L, 0L));

    /** A rank that has sent so many messages of 100 bytes to the next one. */
    static RankReport rank(
            int rank, int ranks, long process, boolean alive, long sent, List<RankReport.Waiting> waiting) {
        RankReport.Flow flow = new RankReport.Flow(List.of(sent, 0L, 0L, 0L), List.of(100 * sent, 0L, 0L, 0L));
        return new RankReport(
                process,
                alive,
                rank,
                ranks,
                true,
                "shmdev",
                "job-of-a-test",
                "org.example.Main 12",
                1_700_000_000_000L,
                10_000_000_000L,
                3,
                0,
                List.of(new RankReport.Waits(WaitKind.RECEIVE, 5, 2_500_000_000L)),
                waiting,
                List.of(new RankReport.Peer((rank + 1) % ranks, flow, NOTHING, 1, 100, 0, 0, 0, 0)),
                Map.of());
    }

    /** A node of messages that has been there for so long, has answered and has sent so many messages of 100 bytes. */
    static RankReport node(long upNanos, long sent) {
        RankReport.Flow flow = new RankReport.Flow(List.of(sent, 0L, 0L, 0L), List.of(100 * sent, 0L, 0L, 0L));
        return new RankReport(
                7,
                true,
                3,
                0,
                true,
                "messaging",
                "messaging-3-7",
                "org.example.Server",
                1_700_000_000_000L,
                upNanos,
                0,
                0,
                List.of(),
                List.of(),
                List.of(new RankReport.Peer(8, flow, NOTHING, 0, 0, 0, 0, 0, 0)),
                Map.of("requestsAnswered", sent));
    }

    /** A rank that waits for another one, by its thread of that number. */
    static List<RankReport.Waiting> waitsFor(int peer, long thread, String text) {
        return List.of(new RankReport.Waiting(WaitKind.RECEIVE, peer, 4_000_000_000L, thread, text));
    }

    /** Ranks in processes of their own, which all wait for rank 1. */
    static JobReport job(String id, int ranks, boolean alive) {
        List<RankReport> found = new ArrayList<>();
        IntStream.range(0, ranks)
                .forEach(rank -> found.add(rank(
                        rank, ranks, 1000 + rank, alive, rank, rank == 1 ? List.of() : waitsFor(1, 1, "Barrier"))));
        return new JobReport(id, found);
    }
}
