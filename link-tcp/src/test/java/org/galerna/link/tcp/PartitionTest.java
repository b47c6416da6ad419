package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.link.PeerTimeout;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.RankProcesses;
import org.galerna.testkit.process.VirtualHosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two hosts whose network is cut while both live. */
@Tag("slow")
class PartitionTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final List<String> OPTIONS =
            List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-D" + PeerTimeout.PROPERTY + "=2");

    @Test
    @Fault({17, 20})
    void aNetworkThatIsCutForAMomentIsWaitedForAndOneThatStaysCutIsALoss() throws Exception {
        try (VirtualHosts hosts = VirtualHosts.create("one", "two");
                RankProcesses job = RankProcesses.start(
                        2,
                        OPTIONS,
                        (rank, command) -> hosts.on(rank == 0 ? "one" : "two", command),
                        RankPrograms.PingPong.class,
                        "niodev")) {
            awaitRound(job, 2);
            hosts.cut("two", true);
            hosts.cut("two", false);
            awaitRound(job, rounds(job) + 2);
            hosts.cut("two", true);
            for (int rank = 0; rank < 2; rank++) {
                job.rank(rank).awaitOut(out -> out.contains("failed"), LONG);
                assertThat(job.rank(rank).out()).contains("rank " + (1 - rank) + " is gone");
            }
            assertThat(job.awaitExits(LONG)).containsOnly(0);
        }
    }

    private static long rounds(RankProcesses job) {
        return job.rank(0)
                .out()
                .lines()
                .filter(line -> line.startsWith("round"))
                .count();
    }

    private static void awaitRound(RankProcesses job, long rounds) throws InterruptedException {
        job.rank(0).awaitOut(out -> out.contains("round " + rounds + "."), LONG);
    }
}
