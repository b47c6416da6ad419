package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.device.Devices;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program over devices that are other people's libraries. */
@Tag("slow")
class LibraryDevicesFdtdTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @ParameterizedTest
    @ValueSource(strings = {"ucxdev", "ofidev"})
    void severalNumbersOfRanksGiveTheSequentialResult(String device) throws InterruptedException {
        Devices.obstacle(device).ifPresent(Assumptions::abort);
        List<String> options = List.of("--enable-native-access=ALL-UNNAMED", "-Xmx1g", "-Dgalerna.device=" + device);
        String test = FdtdTest.class.getName() + "#everyNumberOfRanksGivesTheSequentialResult(int)";
        try (ChildProcess child = ChildProcess.start(ChildProcess.java(options, TestLauncher.class, List.of(test)))) {
            int status = child.awaitExit(LONG);
            assertThat(child.out()).contains("3 tests have passed, 0 have failed");
            assertThat(status).isZero();
        }
    }
}
