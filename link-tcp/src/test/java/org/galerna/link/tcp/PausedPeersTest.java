package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.tcp.PausedPeerProgram.Way;
import org.galerna.link.tcp.connecting.ConnectionLimit;
import org.galerna.link.tcp.wire.Security;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.RankProcesses;
import org.galerna.testkit.process.VirtualHosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A rank that is lost while another one has paused the connection to it: all others hear of it. */
@Tag("slow")
class PausedPeersTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration BOUND = Duration.ofSeconds(12); // the time-out of 2 s, and what a busy machine takes

    private static List<String> options(boolean isProtected) {
        List<String> options = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-D" + PeerTimeout.PROPERTY + "=2",
                "-D" + ConnectionLimit.PROPERTY + "=" + FewConnections.MOST));
        if (isProtected) {
            options.add("-D" + Security.PROPERTY + "=true");
        }
        return options;
    }

    static Stream<Arguments> everything() {
        return Stream.of(false, true)
                .flatMap(isProtected -> Stream.of(Way.values()).map(way -> Arguments.of(way, isProtected)));
    }

    @ParameterizedTest(name = "{0}, TLS: {1}")
    @Fault(17)
    @MethodSource("everything")
    void aPausedPeerThatIsKilledIsNoticed(Way way, boolean isProtected) throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(
                PausedPeerProgram.SIZE, options(isProtected), PausedPeerProgram.class, way.name())) {
            awaitReady(job);
            if (way == Way.CALLING) {
                job.rank(PausedPeerProgram.PEER).signal("STOP"); // so that nobody answers
                job.rank(PausedPeerProgram.TALKER).type("\n");
                job.rank(PausedPeerProgram.TALKER).awaitOut(out -> out.contains("sent"), LONG);
            }
            job.rank(PausedPeerProgram.PEER).signal("KILL");
            if (way == Way.SENDING) {
                job.rank(PausedPeerProgram.TALKER).type("\n");
            }
            expectLosses(job);
        }
    }

    /** The system of the peer answers no more, and that of nobody says that it has ended. */
    @ParameterizedTest
    @Fault({17, 20})
    @EnumSource(Way.class)
    void aPausedPeerWhoseHostIsCutOffIsNoticed(Way way) throws Exception {
        try (VirtualHosts hosts = VirtualHosts.create("one", "two");
                RankProcesses job = RankProcesses.start(
                        PausedPeerProgram.SIZE,
                        options(false),
                        (rank, command) -> hosts.on(rank == PausedPeerProgram.PEER ? "two" : "one", command),
                        PausedPeerProgram.class,
                        way.name())) {
            awaitReady(job);
            hosts.cut("two", true);
            if (way == Way.SENDING || way == Way.CALLING) {
                job.rank(PausedPeerProgram.TALKER).type("\n");
            }
            expectLosses(job);
        }
    }

    private static void awaitReady(RankProcesses job) throws InterruptedException {
        for (int rank = 0; rank < PausedPeerProgram.SIZE; rank++) {
            job.rank(rank).awaitOut(out -> out.contains(PausedPeerProgram.READY), LONG);
        }
    }

    private static void expectLosses(RankProcesses job) throws InterruptedException {
        for (int rank = 0; rank < PausedPeerProgram.SIZE; rank++) {
            if (rank != PausedPeerProgram.PEER) {
                job.rank(rank).awaitOut(out -> out.contains(PausedPeerProgram.LOST), BOUND);
            }
        }
        for (int rank = 0; rank < PausedPeerProgram.SIZE; rank++) {
            if (rank != PausedPeerProgram.PEER) {
                assertThat(job.rank(rank).awaitExit(LONG))
                        .as(job.rank(rank).err())
                        .isZero();
            }
        }
    }
}
