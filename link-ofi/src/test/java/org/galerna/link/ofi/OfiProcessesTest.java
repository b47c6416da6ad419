package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.DeviceProcesses;
import org.galerna.testkit.process.DevicePrograms;
import org.galerna.testkit.process.KilledInSteps;
import org.galerna.testkit.process.LockedMemory;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are processes of their own talk over libfabric, and notice each other's end. */
class OfiProcessesTest implements DeviceProcesses {
    /** Until a rank ends in the middle of a large message. */
    private static final String KILLED_MILLIS = "5";

    @AfterEach
    void forget() {
        System.clearProperty(OfiSubject.PROVIDER);
    }

    @Override
    public String device() {
        return "ofidev";
    }

    @Override
    public List<String> options() throws Exception {
        return options("tcp;ofi_rxm");
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

    @ParameterizedTest
    @CsvSource({"ofidev, shm", "ugnidev, tcp;ofi_rxm", "ofidev, tcp"})
    @Tag("slow")
    void talkByOtherNames(String name, String provider) throws Exception {
        DeviceProcesses.exchange(3, options(provider), name);
    }

    @Test
    @Tag("slow")
    void talkOverTheCurrentVersion() throws Exception {
        String folder = System.getenv("GALERNA_TEST_LIBRARIES");
        Assumptions.assumeTrue(folder != null, "there is no other version");
        DeviceProcesses.exchange(2, options("tcp;ofi_rxm", folder + "/" + OfiLibrary.LIBRARY), "ofidev");
    }

    /** The system copies from one process to the other, which locks nothing. */
    @Fault(28)
    @Test
    @Tag("slow")
    void whoMayLockHardlyAnyMemoryTalksByShm() throws Exception {
        try (RankProcesses job = RankProcesses.start(
                2,
                options("shm"),
                (rank, command) -> LockedMemory.limit(64, command),
                DevicePrograms.Exchange.class,
                "ofidev")) {
            assertThat(job.awaitExits(LONG)).as(job.rank(1).err()).containsOnly(0);
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
}
