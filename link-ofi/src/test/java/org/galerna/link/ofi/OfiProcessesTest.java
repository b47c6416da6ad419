package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.DevicePrograms;
import org.galerna.testkit.process.KilledInSteps;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are processes of their own talk over libfabric, and notice each other's end. */
class OfiProcessesTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Until a rank ends in the middle of a large message. */
    private static final String KILLED_MILLIS = "5";

    private static final int KILLED_BY_TERM = 128 + 15;

    @AfterEach
    void forget() {
        System.clearProperty(OfiSubject.PROVIDER);
    }

    private static List<String> options(String provider) throws Exception {
        OfiSubject.choose(provider);
        return options(provider, System.getProperty(OfiLibrary.PROPERTY, OfiLibrary.LIBRARY));
    }

    private static List<String> options(String provider, String library) {
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx512m",
                "-D" + OfiSubject.PROVIDER + "=" + provider,
                "-D" + OfiLibrary.PROPERTY + "=" + library);
    }

    @Test
    void talk() throws Exception {
        exchange("ofidev", "tcp;ofi_rxm");
    }

    @ParameterizedTest
    @CsvSource({"ofidev, shm", "ugnidev, tcp;ofi_rxm", "ofidev, tcp"})
    @Tag("slow")
    void talkByOtherNames(String name, String provider) throws Exception {
        exchange(name, provider);
    }

    private static void exchange(String name, String provider) throws Exception {
        try (RankProcesses job = RankProcesses.start(3, options(provider), DevicePrograms.Exchange.class, name)) {
            assertThat(job.awaitExits(LONG)).containsOnly(0);
            for (int rank = 0; rank < 3; rank++) {
                assertThat(job.rank(rank).out()).isEqualToIgnoringWhitespace("exchanged by " + name);
                assertThat(job.rank(rank).err()).isEmpty();
            }
        }
    }

    @Test
    @Tag("slow")
    void talkOverTheCurrentVersion() throws Exception {
        String folder = System.getenv("GALERNA_TEST_LIBRARIES");
        Assumptions.assumeTrue(folder != null, "there is no other version");
        List<String> options = options("tcp;ofi_rxm", folder + "/" + OfiLibrary.LIBRARY);
        try (RankProcesses job = RankProcesses.start(2, options, DevicePrograms.Exchange.class, "ofidev")) {
            assertThat(job.awaitExits(LONG)).containsOnly(0);
            assertThat(job.rank(1).out()).isEqualToIgnoringWhitespace("exchanged by ofidev");
        }
    }

    @Fault(17)
    @Test
    void aKilledRankEndsCallsThatNeedIt() throws Exception {
        killTheLast("rendezvous");
    }

    @Fault(17)
    @ParameterizedTest
    @ValueSource(strings = {"receive", "probe", "poll", "synchronous", "eager"})
    @Tag("slow")
    void aKilledRankEndsOtherCallsThatNeedIt(String call) throws Exception {
        killTheLast(call);
    }

    private static void killTheLast(String call) throws Exception {
        try (RankProcesses job =
                RankProcesses.start(3, options("tcp;ofi_rxm"), DevicePrograms.WaitForTheLast.class, "ofidev", call)) {
            killTheLastOf(job);
            for (int rank = 0; rank < 2; rank++) {
                ChildProcess survivor = job.rank(rank);
                survivor.awaitOut(out -> out.contains("closed"), LONG);
                assertThat(survivor.out()).contains("failed: PROC_FAILED: ", "rank 2");
                assertThat(survivor.awaitExit(LONG)).isZero();
                assertThat(survivor.err()).isEmpty();
            }
        }
    }

    @Fault(17)
    @ParameterizedTest
    @ValueSource(strings = {"tcp;ofi_rxm", "shm"})
    @Tag("slow")
    void whoIsKilledInAnyStepOfAMessageIsNamedAndTheOthersGoOn(String provider) throws Exception {
        int size = KilledInSteps.Step.values().length + 2;
        try (RankProcesses job =
                RankProcesses.start(size, options(provider), KilledInSteps.class, "ofidev", KILLED_MILLIS)) {
            job.awaitExits(LONG);
            assertThat(job.rank(0).out()).as(job.rank(0).err()).contains(KilledInSteps.SURVIVED);
            assertThat(job.rank(size - 1).awaitExit(LONG)).isZero();
        }
    }

    @Fault(17)
    @Test
    @Tag("slow")
    void aKilledRankEndsTheLeavingOfTheOthers() throws Exception {
        try (RankProcesses job = RankProcesses.start(
                3, options("tcp;ofi_rxm"), DevicePrograms.WaitForTheLast.class, "ofidev", "leave")) {
            killTheLastOf(job);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).awaitExit(LONG))
                        .as(job.rank(rank).err())
                        .isZero();
                assertThat(job.rank(rank).out()).contains("closed");
            }
        }
    }

    @Fault(17)
    @ParameterizedTest
    @ValueSource(strings = {"put", "fence", "get", "talk"})
    @Tag("slow")
    void whoIsKilledWhileItJoinsIsNamed(String call) throws Exception {
        try (RankProcesses job =
                RankProcesses.start(3, options("tcp;ofi_rxm"), DevicePrograms.EndWhileJoining.class, "ofidev", call)) {
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).awaitExit(LONG))
                        .as(job.rank(rank).err())
                        .isZero();
                assertThat(job.rank(rank).out()).contains("failed: ", "rank 2");
            }
        }
    }

    private static void killTheLastOf(RankProcesses job) throws InterruptedException {
        for (int rank = 0; rank < 3; rank++) {
            job.rank(rank).awaitOut(out -> out.contains("ready"), LONG);
        }
        job.rank(2).signal("KILL");
    }

    /** Libraries that providers bring along take the same signals, if they are not kept from it. */
    @Test
    void theVirtualMachineKeepsItsSignals() throws Exception {
        try (RankProcesses job =
                RankProcesses.start(1, options("tcp;ofi_rxm"), DevicePrograms.Signals.class, "ofidev")) {
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
