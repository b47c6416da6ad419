package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.DevicePrograms;
import org.galerna.testkit.process.KilledInSteps;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are processes of their own talk over UCX, and notice each other's end. */
class UcxProcessesTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Until a rank ends in the middle of a large message. */
    private static final String KILLED_MILLIS = "3";

    private static final int KILLED_BY_TERM = 128 + 15;

    @BeforeAll
    static void needsTheLibrary() {
        UcxLibrary.unavailable().ifPresent(Assumptions::abort);
    }

    private static List<String> options() {
        return options(System.getProperty(UcxLibrary.PROPERTY, UcxLibrary.LIBRARY));
    }

    private static List<String> options(String library) {
        return List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-D" + UcxLibrary.PROPERTY + "=" + library);
    }

    @Test
    void talk() throws InterruptedException {
        String name = "mxmdev";
        try (RankProcesses job = RankProcesses.start(3, options(), DevicePrograms.Exchange.class, name)) {
            assertThat(job.awaitExits(LONG)).containsOnly(0);
            for (int rank = 0; rank < 3; rank++) {
                assertThat(job.rank(rank).out()).isEqualToIgnoringWhitespace("exchanged by " + name);
                assertThat(job.rank(rank).err()).isEmpty();
            }
        }
    }

    @Test
    @Tag("slow")
    void saysByWhatItReachesTheOthersIfAsked() throws InterruptedException {
        List<String> explained = Stream.concat(options().stream(), Stream.of("-Dgalerna.explain=true"))
                .toList();
        try (RankProcesses job =
                RankProcesses.start(2, explained, DevicePrograms.Exchange.class, UcxDeviceProvider.NAME)) {
            assertThat(job.awaitExits(LONG)).containsOnly(0);
            assertThat(job.rank(1).err()).contains("rank 1 reaches all other ranks by UCX 1.", "tcp on ");
        }
    }

    @Test
    @Tag("slow")
    void talkOverTheCurrentVersion() throws InterruptedException {
        String folder = System.getenv("GALERNA_TEST_LIBRARIES");
        Assumptions.assumeTrue(folder != null, "there is no other version");
        try (RankProcesses job = RankProcesses.start(
                2, options(folder + "/" + UcxLibrary.LIBRARY), DevicePrograms.Exchange.class, UcxDeviceProvider.NAME)) {
            assertThat(job.awaitExits(LONG)).containsOnly(0);
            assertThat(job.rank(1).out()).isEqualToIgnoringWhitespace("exchanged by ucxdev");
        }
    }

    @Fault(17)
    @Test
    void aKilledRankEndsCallsThatNeedIt() throws InterruptedException {
        aKilledRankEnds("rendezvous");
    }

    @Tag("slow")
    @Fault(17)
    @ParameterizedTest
    @ValueSource(strings = {"receive", "probe", "poll", "synchronous", "eager"})
    void aKilledRankEndsOtherCallsThatNeedIt(String call) throws InterruptedException {
        aKilledRankEnds(call);
    }

    private void aKilledRankEnds(String call) throws InterruptedException {
        try (RankProcesses job =
                RankProcesses.start(3, options(), DevicePrograms.WaitForTheLast.class, UcxDeviceProvider.NAME, call)) {
            killTheLast(job, 2);
            for (int rank = 0; rank < 2; rank++) {
                ChildProcess survivor = job.rank(rank);
                survivor.awaitOut(out -> out.contains("closed"), LONG);
                assertThat(survivor.out()).contains("failed: PROC_FAILED: ", "because rank 2 is gone: ");
                assertThat(survivor.awaitExit(LONG)).isZero();
                assertThat(survivor.err()).isEmpty();
            }
        }
    }

    @Fault(17)
    @Test
    @Tag("slow")
    void whoIsKilledInAnyStepOfAMessageIsNamedAndTheOthersGoOn() throws InterruptedException {
        int size = KilledInSteps.Step.values().length + 2;
        try (RankProcesses job =
                RankProcesses.start(size, options(), KilledInSteps.class, UcxDeviceProvider.NAME, KILLED_MILLIS)) {
            job.awaitExits(LONG);
            assertThat(job.rank(0).out()).as(job.rank(0).err()).contains(KilledInSteps.SURVIVED);
            assertThat(job.rank(size - 1).awaitExit(LONG)).isZero();
        }
    }

    @Fault(17)
    @Test
    @Tag("slow")
    void aKilledRankEndsTheLeavingOfTheOthers() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(
                3, options(), DevicePrograms.WaitForTheLast.class, UcxDeviceProvider.NAME, "leave")) {
            killTheLast(job, 2);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).awaitExit(LONG))
                        .as(job.rank(rank).err())
                        .isZero();
                assertThat(job.rank(rank).out()).contains("closed");
            }
        }
    }

    @Fault(18)
    @Test
    @Tag("slow")
    void aWildcardReceiveFailsWhenAllOthersAreKilled() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(
                2, options(), DevicePrograms.WaitForTheLast.class, UcxDeviceProvider.NAME, "wildcard")) {
            killTheLast(job, 1);
            job.rank(0).awaitOut(out -> out.contains("closed"), LONG);
            assertThat(job.rank(0).out()).contains("all other ranks are gone");
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
        }
    }

    @Fault(17)
    @ParameterizedTest
    @ValueSource(strings = {"put", "fence", "get", "talk"})
    @Tag("slow")
    void whoIsKilledWhileItJoinsIsNamed(String call) throws InterruptedException {
        try (RankProcesses job =
                RankProcesses.start(3, options(), DevicePrograms.EndWhileJoining.class, UcxDeviceProvider.NAME, call)) {
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).awaitExit(LONG))
                        .as(job.rank(rank).err())
                        .isZero();
                assertThat(job.rank(rank).out()).contains("failed: ", "rank 2");
            }
        }
    }

    private static void killTheLast(RankProcesses job, int last) throws InterruptedException {
        for (int rank = 0; rank <= last; rank++) {
            job.rank(rank).awaitOut(out -> out.contains("ready"), LONG);
        }
        job.rank(last).signal("KILL");
    }

    /** UCX takes the same signals, if it is not kept from it. */
    @Test
    void theVirtualMachineKeepsItsSignals() throws InterruptedException {
        try (RankProcesses job =
                RankProcesses.start(1, options(), DevicePrograms.Signals.class, UcxDeviceProvider.NAME)) {
            ChildProcess rank = job.rank(0);
            rank.awaitOut(out -> out.contains("null was caught always"), LONG);
            rank.signal("QUIT");
            rank.awaitOut(out -> out.contains("Full thread dump"), LONG);
            rank.signal("TERM");
            assertThat(rank.awaitExit(LONG)).isEqualTo(KILLED_BY_TERM);
            assertThat(rank.out()).contains("the hook has run");
        }
    }
}
