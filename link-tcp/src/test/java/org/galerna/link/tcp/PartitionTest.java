package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.link.process.PeerTimeout;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.RankProcesses;
import org.galerna.testkit.process.VirtualHosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two hosts whose network is cut while both live. */
@Tag("slow")
class PartitionTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration BOUND = Duration.ofSeconds(6); // the time-out of 2 s, and what a busy machine takes
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
            awaitLoss(job, 0, BOUND);
            awaitLoss(job, 1, BOUND);
            assertThat(job.awaitExits(LONG)).containsOnly(0);
        }
    }

    /** Whether little is on its way, or more than the peer's system has room for: its system answers, until it is cut off. */
    @ParameterizedTest
    @Fault({17, 19, 20})
    @CsvSource({"niodev,receive", "niodev,eager", "niodev,rendezvous", "iodev,eager"})
    void aRankThatIsStoppedIsWaitedForUntilItsHostIsCutOff(String device, String call) throws Exception {
        try (VirtualHosts hosts = VirtualHosts.create("one", "two");
                RankProcesses job = RankProcesses.start(
                        2,
                        OPTIONS,
                        (rank, command) -> hosts.on(rank == 0 ? "one" : "two", command),
                        RankPrograms.WaitForTheLast.class,
                        device,
                        call)) {
            job.rank(0).awaitOut(out -> out.contains("ready"), LONG);
            job.rank(1).awaitOut(out -> out.contains("ready"), LONG);
            job.rank(1).signal("STOP");
            long since = System.nanoTime();
            job.rank(0).awaitErr(text -> text.contains("rank 1 on two") && text.contains("It may be stopped"), LONG);
            Deadline.after(LONG).await("three times the time-out", () -> System.nanoTime() - since > 6_000_000_000L);
            assertThat(job.rank(0).out()).doesNotContain("failed").doesNotContain("over");
            hosts.cut("two", true);
            // questions that are repeated less and less often, because there is no room for more, take longer to find
            // it
            awaitLoss(job, 0, call.equals("receive") ? BOUND : LONG);
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
        }
    }

    private static void awaitLoss(RankProcesses job, int rank, Duration longest) throws InterruptedException {
        job.rank(rank).awaitOut(out -> out.contains("failed"), longest);
        assertThat(job.rank(rank).out()).contains("rank " + (1 - rank) + " is gone");
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
