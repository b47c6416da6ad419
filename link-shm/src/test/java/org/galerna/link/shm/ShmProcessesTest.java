package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.shm.file.UserFolder;
import org.galerna.link.support.PrivateRings;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ranks as processes: what they exchange, how they end, and what is left of them. */
class ShmProcessesTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Path folder;

    @BeforeEach
    void makeTheFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("/dev/shm"), "galerna-test");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        List<Path> left = left();
        for (Path each : left.reversed()) {
            Files.delete(each);
        }
        Files.delete(folder);
        assertThat(left).isEmpty();
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> !each.equals(folder)).sorted().toList();
        }
    }

    private RankProcesses start(int size, String... arguments) {
        return start(size, 60, arguments);
    }

    private RankProcesses start(int size, int timeout, String... arguments) {
        return RankProcesses.start(
                size,
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-D" + UserFolder.BASE + "=" + folder,
                        "-D" + PeerTimeout.PROPERTY + "=" + timeout),
                ShmPrograms.class,
                arguments);
    }

    private static void kill(RankProcesses job, int rank) throws InterruptedException {
        job.rank(rank).signal("KILL");
    }

    private static void succeeds(RankProcesses job, int rank) throws InterruptedException {
        int status = job.rank(rank).awaitExit(LIMIT);
        assertThat(status).as(job.rank(rank).err()).isZero();
    }

    @Test
    void messagesOfEverySizeTravelBetweenAll() throws Exception {
        try (RankProcesses job = start(3, "exchange")) {
            for (int rank = 0; rank < 3; rank++) {
                succeeds(job, rank);
                assertThat(job.rank(rank).out()).contains("exchanged");
            }
        }
    }

    @Test
    @Fault({16, 27})
    @Tag("slow")
    void ranksThatExitWithoutClosingLeaveNothing() throws Exception {
        try (RankProcesses job = start(2, "exit")) {
            succeeds(job, 0);
            succeeds(job, 1);
        }
    }

    @Test
    @Fault(16)
    void ranksThatAreToldToEndLeaveNothing() throws Exception {
        ranksThatAreToldToEndLeaveNothing("TERM");
    }

    @Test
    @Fault(16)
    @Tag("slow")
    void ranksThatAreInterruptedLeaveNothing() throws Exception {
        ranksThatAreToldToEndLeaveNothing("INT");
    }

    private void ranksThatAreToldToEndLeaveNothing(String signal) throws Exception {
        try (RankProcesses job = start(2, "sleep")) {
            for (int rank = 0; rank < 2; rank++) {
                job.rank(rank).awaitOut(text -> text.contains("ready"), LIMIT);
            }
            for (int rank = 0; rank < 2; rank++) {
                job.rank(rank).signal(signal);
            }
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).awaitExit(LIMIT)).isNotZero();
            }
        }
    }

    @Test
    @Fault({12, 16})
    void whatKilledRanksLeaveIsRemovedByTheNextStart() throws Exception {
        try (RankProcesses job = start(2, "sleep")) {
            for (int rank = 0; rank < 2; rank++) {
                job.rank(rank).awaitOut(text -> text.contains("ready"), LIMIT);
            }
            for (int rank = 0; rank < 2; rank++) {
                kill(job, rank);
            }
            for (int rank = 0; rank < 2; rank++) {
                job.rank(rank).awaitExit(LIMIT);
            }
            assertThat(left()).isNotEmpty();
        }
        try (RankProcesses next = start(2, "exchange")) {
            succeeds(next, 0);
            succeeds(next, 1);
        }
        assertThat(left()).isEmpty();
    }

    @Test
    @Fault(17)
    void aKilledRankIsNoticedInEveryCallAndNamed() throws Exception {
        try (RankProcesses job = start(3, "lose")) {
            job.rank(1).awaitOut(text -> text.contains("ready"), LIMIT);
            kill(job, 1);
            for (int rank : new int[] {0, 2}) {
                succeeds(job, rank);
                assertThat(job.rank(rank).out().lines())
                        .hasSize(rank == 0 ? 5 : 3)
                        .allSatisfy(line ->
                                assertThat(line).contains("rank 1 is gone").contains("its process has ended"));
            }
        }
    }

    @Test
    @Fault(11)
    void aRankKilledWithinAClaimLosesThatFrameAlone() throws Exception {
        aRankKilledWithinAClaimLosesThatFrameAlone(true);
    }

    @Test
    @Fault(11)
    @Tag("slow")
    void aRankOfOneThreadKilledWithinAClaimLosesThatFrameAlone() throws Exception {
        aRankKilledWithinAClaimLosesThatFrameAlone(false);
    }

    private void aRankKilledWithinAClaimLosesThatFrameAlone(boolean concurrent) throws Exception {
        try (RankProcesses job = start(2, "claim", String.valueOf(concurrent))) {
            job.rank(1).awaitOut(text -> text.contains("claimed"), LIMIT);
            kill(job, 1);
            succeeds(job, 0);
            assertThat(job.rank(0).out()).contains((concurrent ? 11 : 10) + " frames, its process has ended");
        }
    }

    @Test
    @Fault(11)
    @Tag("slow")
    void ranksKilledWithinAClaimInAQueueHoldUpNobodyElse() throws Exception {
        ranksKilledWithinAClaimInAQueueHoldUpNobodyElse(0, 40);
    }

    @Test
    @Fault(11)
    @Tag("slow")
    void ranksKilledWithinALongClaimInAQueueHoldUpNobodyElse() throws Exception {
        ranksKilledWithinAClaimInAQueueHoldUpNobodyElse(4, 5000);
    }

    private void ranksKilledWithinAClaimInAQueueHoldUpNobodyElse(int rings, int length) throws Exception {
        int frames = 300;
        try (RankProcesses job = RankProcesses.start(
                4,
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-D" + UserFolder.BASE + "=" + folder,
                        "-D" + PrivateRings.PROPERTY + "=" + rings),
                ShmPrograms.class,
                "claim-in-queue",
                String.valueOf(length),
                String.valueOf(frames))) {
            for (int rank : new int[] {1, 2}) {
                job.rank(rank).awaitOut(text -> text.contains("claimed"), LIMIT);
            }
            job.rank(3).type("\n");
            for (int rank : new int[] {1, 2}) {
                kill(job, rank);
            }
            succeeds(job, 0);
            succeeds(job, 3);
            assertThat(job.rank(0).out()).contains("got all, and of rank 1 1, ").contains("its process has ended");
        }
    }

    @Test
    @Fault(11)
    @Tag("slow")
    void sendersToAKilledRankArePressedBackAndThenRefused() throws Exception {
        try (RankProcesses job = start(2, "flood")) {
            job.rank(0).awaitOut(text -> text.contains("refused -1"), LIMIT);
            job.rank(1).awaitOut(text -> text.contains("ready"), LIMIT);
            kill(job, 1);
            succeeds(job, 0);
            assertThat(job.rank(0).out()).contains("refused -3");
        }
    }

    @Test
    @Fault(19)
    @Tag("slow")
    void aRankThatIsStoppedForAWhileGetsEverythingOnce() throws Exception {
        try (RankProcesses job = start(2, "pause")) {
            job.rank(1).awaitOut(text -> text.contains("ready"), LIMIT);
            job.rank(1).signal("STOP");
            job.rank(0).type("\n");
            job.rank(0).awaitOut(text -> text.contains("sent"), LIMIT);
            job.rank(1).signal("CONT");
            succeeds(job, 0);
            succeeds(job, 1);
            assertThat(job.rank(1).out()).contains("all there Optional.empty");
        }
    }

    @Test
    @Fault(19)
    @Tag("slow")
    void aRankThatIsStoppedForLongIsWaitedForAndOneOfTheOthersSaysSo() throws Exception {
        try (RankProcesses job = start(3, 1, "wait")) {
            for (int rank = 0; rank < 3; rank++) {
                job.rank(rank).awaitOut(text -> text.contains("ready"), LIMIT);
            }
            job.rank(1).signal("STOP");
            long since = System.nanoTime();
            job.rank(0).awaitErr(text -> text.contains("rank 1 on ") && text.contains("It may be stopped"), LIMIT);
            Deadline.after(LIMIT).await("three times the time-out", () -> System.nanoTime() - since > 3_000_000_000L);
            for (int rank : new int[] {0, 2}) {
                assertThat(job.rank(rank).out()).isEqualToIgnoringNewLines("ready");
            }
            job.rank(1).signal("CONT");
            job.rank(1).type("\n");
            for (int rank = 0; rank < 3; rank++) {
                succeeds(job, rank);
                assertThat(job.rank(rank).out()).contains("has come");
            }
            assertThat(job.rank(0).err().lines()).hasSize(1);
            assertThat(job.rank(2).err()).isEmpty();
        }
    }

    @Test
    @Fault(17)
    @Tag("slow")
    void aRankThatIsKilledWhileItIsStoppedIsLost() throws Exception {
        try (RankProcesses job = start(3, 1, "lose")) {
            job.rank(1).awaitOut(text -> text.contains("ready"), LIMIT);
            job.rank(1).signal("STOP");
            job.rank(0).awaitErr(text -> text.contains("It may be stopped"), LIMIT);
            kill(job, 1);
            succeeds(job, 0);
            assertThat(job.rank(0).out()).contains("rank 1 is gone").contains("its process has ended");
            succeeds(job, 2);
        }
    }
}
