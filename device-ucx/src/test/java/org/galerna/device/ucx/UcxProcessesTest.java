package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.DeviceProcesses;
import org.galerna.testkit.process.DevicePrograms;
import org.galerna.testkit.process.KilledInSteps;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ranks that are processes of their own talk over UCX, and notice each other's end. */
class UcxProcessesTest implements DeviceProcesses {
    /** Until a rank ends in the middle of a large message. */
    private static final String KILLED_MILLIS = "3";

    @BeforeAll
    static void needsTheLibrary() {
        UcxLibrary.unavailable().ifPresent(Assumptions::abort);
    }

    @Override
    public String device() {
        return UcxDeviceProvider.NAME;
    }

    @Override
    public List<String> options() {
        return options(System.getProperty(UcxLibrary.PROPERTY, UcxLibrary.LIBRARY));
    }

    private static List<String> options(String library) {
        return List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-D" + UcxLibrary.PROPERTY + "=" + library);
    }

    @Test
    @Tag("slow")
    void talkByItsOtherName() throws InterruptedException {
        DeviceProcesses.exchange(3, options(), "mxmdev");
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
        DeviceProcesses.exchange(2, options(folder + "/" + UcxLibrary.LIBRARY), UcxDeviceProvider.NAME);
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

    // of all such devices this one shows it in every run

    @Override
    @Test
    public void whoMayLockHardlyAnyMemoryTalks() throws Exception {
        DeviceProcesses.super.whoMayLockHardlyAnyMemoryTalks();
    }

    @Override
    @Test
    public void theVirtualMachineKeepsItsSignals() throws Exception {
        DeviceProcesses.super.theVirtualMachineKeepsItsSignals();
    }
}
