package org.galerna.link.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.DevicePrograms;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are processes of their own talk by frames over UCX, and notice each other's end. */
class UcxLinkProcessesTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @BeforeAll
    static void needsTheLibrary() {
        UcxWorker.unavailable().ifPresent(Assumptions::abort);
    }

    private static List<String> options() {
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx512m",
                "-D" + UcxLibrary.PROPERTY + "=" + System.getProperty(UcxLibrary.PROPERTY, UcxLibrary.LIBRARY));
    }

    @Test
    void talk() throws InterruptedException {
        try (RankProcesses job =
                RankProcesses.start(3, options(), DevicePrograms.Exchange.class, UcxAloneProvider.DEVICE)) {
            assertThat(job.awaitExits(LONG)).containsOnly(0);
            for (int rank = 0; rank < 3; rank++) {
                assertThat(job.rank(rank).out()).isEqualToIgnoringWhitespace("exchanged by " + UcxAloneProvider.DEVICE);
                assertThat(job.rank(rank).err()).isEmpty();
            }
        }
    }

    @Fault(17)
    @Test
    void aKilledRankEndsCallsThatNeedIt() throws InterruptedException {
        killTheLast("rendezvous");
    }

    @Fault(17)
    @ParameterizedTest
    @ValueSource(strings = {"receive", "eager"})
    @Tag("slow")
    void aKilledRankEndsOtherCallsThatNeedIt(String call) throws InterruptedException {
        killTheLast(call);
    }

    private static void killTheLast(String call) throws InterruptedException {
        try (RankProcesses job =
                RankProcesses.start(3, options(), DevicePrograms.WaitForTheLast.class, UcxAloneProvider.DEVICE, call)) {
            for (int rank = 0; rank < 3; rank++) {
                job.rank(rank).awaitOut(out -> out.contains("ready"), LONG);
            }
            job.rank(2).signal("KILL");
            for (int rank = 0; rank < 2; rank++) {
                ChildProcess survivor = job.rank(rank);
                survivor.awaitOut(out -> out.contains("closed"), LONG);
                assertThat(survivor.out()).contains("failed: PROC_FAILED: ", "rank 2");
                assertThat(survivor.awaitExit(LONG)).isZero();
                assertThat(survivor.err()).isEmpty();
            }
        }
    }
}
