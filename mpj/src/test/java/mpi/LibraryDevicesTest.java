package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.device.Devices;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of this module over devices that are other people's libraries, in place of memory. */
@Tag("slow")
@Timeout(600)
class LibraryDevicesTest {
    private static final Duration LONG = Duration.ofMinutes(8);

    private static void pass(String device, Class<?>... tests) throws InterruptedException {
        Devices.obstacle(device).ifPresent(Assumptions::abort);
        List<String> options = List.of("--enable-native-access=ALL-UNNAMED", "-Xmx1g", "-Dgalerna.device=" + device);
        List<String> names = Stream.of(tests).map(Class::getName).toList();
        try (ChildProcess child = ChildProcess.start(ChildProcess.java(options, TestLauncher.class, names))) {
            int status = child.awaitExit(LONG);
            assertThat(child.out()).contains(" tests have passed, 0 have failed");
            assertThat(status).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ucxdev", "ofidev"})
    void messagesOfEveryKindArrive(String device) throws InterruptedException {
        pass(
                device,
                PingPongTest.class,
                PointToPointMatrixTest.class,
                BufferedSendTest.class,
                RequestFamiliesTest.class,
                ErrorsTest.class,
                RowsTest.class,
                ObjectMessagesTest.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ucxdev", "ofidev"})
    void collectivesHold(String device) throws InterruptedException {
        pass(
                device,
                CollectivesMatrixTest.class,
                CollectivesInMemoryTest.class,
                NonblockingCollectivesTest.class,
                InPlaceTest.class,
                IntercommTest.class,
                CommunicatorsTest.class,
                ReductionsTest.class);
    }
}
