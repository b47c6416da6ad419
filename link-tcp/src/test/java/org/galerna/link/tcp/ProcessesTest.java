package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.tcp.wire.Security;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.DevicePrograms;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are processes of their own: they talk, and notice each other's end. */
class ProcessesTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final List<String> OPTIONS = List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m");
    private static final List<String> PROTECTED =
            List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-D" + Security.PROPERTY + "=true");
    private static final List<String> IMPATIENT =
            List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-D" + PeerTimeout.PROPERTY + "=1.5");

    @Test
    void talk() throws InterruptedException {
        talk("niodev", 3);
    }

    @Test
    @Tag("slow")
    void talkByAThreadForEachConnection() throws InterruptedException {
        talk("iodev", 2);
    }

    private static void talk(String device, int size) throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(size, OPTIONS, DevicePrograms.Exchange.class, device)) {
            assertThat(job.awaitExits(LONG)).containsOnly(0);
            for (int rank = 0; rank < size; rank++) {
                assertThat(job.rank(rank).out()).contains("exchanged");
                assertThat(job.rank(rank).err()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"niodev", "iodev"})
    @Tag("slow")
    void talkOverTls(String device) throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(2, PROTECTED, DevicePrograms.Exchange.class, device)) {
            assertThat(job.awaitExits(LONG)).containsOnly(0);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).out()).contains("exchanged");
                assertThat(job.rank(rank).err()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @Fault({17, 30})
    @ValueSource(strings = {"rendezvous", "get"})
    @Tag("slow")
    void aKilledRankEndsCallsOverTls(String call) throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(2, PROTECTED, RankPrograms.WaitForTheLast.class, "niodev", call)) {
            awaitReady(job, 2);
            job.rank(1).signal("KILL");
            expectFailures(job, 1);
        }
    }

    @Test
    @Fault(17)
    void aKilledRankEndsCallsThatNeedIt() throws InterruptedException {
        killTheLast("niodev", "rendezvous");
    }

    @Tag("slow")
    @ParameterizedTest
    @Fault(17)
    @CsvSource({
        "niodev,receive",
        "niodev,get",
        "niodev,probe",
        "niodev,synchronous",
        "niodev,eager",
        "iodev,receive",
        "iodev,eager"
    })
    void aKilledRankEndsEveryOtherCallThatNeedsIt(String device, String call) throws InterruptedException {
        killTheLast(device, call);
    }

    private static void killTheLast(String device, String call) throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(3, OPTIONS, RankPrograms.WaitForTheLast.class, device, call)) {
            awaitReady(job, 3);
            job.rank(2).signal("KILL");
            expectFailures(job, 2);
        }
    }

    @Test
    @Fault({17, 18})
    @Tag("slow")
    void aWildcardReceiveFailsWhenAllOthersAreKilled() throws InterruptedException {
        try (RankProcesses job =
                RankProcesses.start(2, OPTIONS, RankPrograms.WaitForTheLast.class, "niodev", "wildcard")) {
            awaitReady(job, 2);
            job.rank(1).signal("KILL");
            job.rank(0).awaitOut(out -> out.contains("failed"), LONG);
            assertThat(job.rank(0).out()).contains("all other ranks are gone");
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
        }
    }

    @Test
    @Tag("slow")
    @Fault({17, 19})
    void aRankThatIsStoppedForLongIsWaitedForUntilItIsKilled() throws InterruptedException {
        stopTheLastForLong("niodev", "eager");
    }

    @ParameterizedTest
    @Fault({17, 19})
    @CsvSource({
        "niodev,receive",
        "niodev,rendezvous",
        "niodev,get",
        "iodev,receive",
        "iodev,eager",
        "unixdev,receive",
        "unixdev,eager"
    })
    @Tag("slow")
    void aRankThatIsStoppedForLongIsWaitedForInEveryCall(String device, String call) throws InterruptedException {
        stopTheLastForLong(device, call);
    }

    private static void stopTheLastForLong(String device, String call) throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(3, IMPATIENT, RankPrograms.WaitForTheLast.class, device, call)) {
            awaitReady(job, 3);
            job.rank(2).signal("STOP");
            long since = System.nanoTime();
            job.rank(1).awaitErr(text -> text.contains("rank 2 on ") && text.contains("It may be stopped"), LONG);
            Deadline.after(LONG).await("three times the time-out", () -> System.nanoTime() - since > 4_500_000_000L);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).out()).doesNotContain("failed").doesNotContain("over");
            }
            assertThat(job.rank(0).err()).isEmpty();
            job.rank(2).signal("KILL");
            expectFailures(job, 2);
            assertThat(job.rank(1).err().lines()).hasSize(1);
        }
    }

    @Test
    @Fault(19)
    void aRankThatIsStoppedForAMomentGoesOn() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(2, OPTIONS, RankPrograms.PingPong.class, "niodev")) {
            for (int pause = 1; pause <= 3; pause++) {
                awaitRounds(job.rank(0), pause * 3);
                job.rank(1).signal("STOP");
                job.rank(1).signal("CONT");
                awaitRounds(job.rank(0), pause * 3 + 2);
            }
            assertThat(job.rank(0).out()).doesNotContain("failed");
            assertThat(job.rank(1).out()).doesNotContain("failed");
        }
    }

    @Test
    @Fault({12, 16})
    @Tag("slow")
    void socketsThatKilledRanksLeaveAreRemovedByTheNextStart(@TempDir Path temporary) throws Exception {
        List<String> options = List.of("--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + temporary);
        Path link = Files.createSymbolicLink(
                temporary.resolve("galerna-unix-0"), Files.createDirectory(temporary.resolve("mine")));
        Path lock = Files.createFile(link.resolve("lock")); // of nobody, but not in a folder that a rank has made
        try (RankProcesses killed = RankProcesses.start(2, options, RankPrograms.PingPong.class, "unixdev")) {
            awaitRounds(killed.rank(0), 1);
            try (RankProcesses others = RankProcesses.start(2, options, DevicePrograms.Exchange.class, "unixdev")) {
                assertThat(others.awaitExits(LONG)).containsOnly(0);
            }
            awaitRounds(killed.rank(0), 1 + killed.rank(0).out().split("round ").length);
            for (int rank = 0; rank < 2; rank++) {
                killed.rank(rank).signal("KILL");
            }
            killed.awaitExits(LONG);
        }
        assertThat(socketFolders(temporary)).hasSize(3);
        try (RankProcesses next = RankProcesses.start(1, options, DevicePrograms.Exchange.class, "unixdev")) {
            assertThat(next.awaitExits(LONG)).containsOnly(0);
        }
        assertThat(socketFolders(temporary)).containsExactly(link);
        assertThat(lock).exists();
    }

    private static List<Path> socketFolders(Path temporary) throws IOException {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(each -> each.getFileName().toString().startsWith("galerna-unix-"))
                    .toList();
        }
    }

    private static void awaitRounds(ChildProcess rank, int rounds) throws InterruptedException {
        rank.awaitOut(out -> out.contains("round " + rounds + "."), LONG);
    }

    private static void awaitReady(RankProcesses job, int size) throws InterruptedException {
        for (int rank = 0; rank < size; rank++) {
            job.rank(rank).awaitOut(out -> out.contains("ready"), LONG);
        }
    }

    private static void expectFailures(RankProcesses job, int lost) throws InterruptedException {
        for (int rank = 0; rank < lost; rank++) {
            ChildProcess survivor = job.rank(rank);
            survivor.awaitOut(out -> out.contains("failed"), LONG);
            assertThat(survivor.out()).contains("rank " + lost + " is gone").doesNotContain("over");
            assertThat(survivor.awaitExit(LONG)).isZero();
        }
    }
}
