package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.process.LockedMemory;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The device over an adapter: software RoCE of the Linux kernel, in a virtual machine. */
@Tag("adapter")
@Timeout(3000)
class UcxAdapterTest {
    private static void pass(String transport, List<String> options, List<String> tests) throws InterruptedException {
        pass(RdmaGuest.ucx(transport), options, tests);
    }

    private static void pass(List<String> before, List<String> options, List<String> tests)
            throws InterruptedException {
        assertThat(RdmaGuest.prepare(false).runTests(before, options, tests))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    void messagesOfEverySizeTravelOverRoce() throws InterruptedException {
        pass(
                "rc",
                List.of(),
                List.of(UcxdevSuite.class.getName() + "#everyWayToSendReachesEveryWayToReceiveAtEverySize"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "ud"})
    @Tag("slow")
    void theContractHoldsOverRoce(String transport) throws InterruptedException {
        pass(transport, List.of(RdmaGuest.QUICK), List.of(UcxdevSuite.class.getName()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "ud"})
    @Tag("slow")
    void theRestOfTheContractHoldsOverRoce(String transport) throws InterruptedException {
        pass(transport, List.of(RdmaGuest.REST), List.of(UcxdevSuite.class.getName()));
    }

    @Test
    @Tag("slow")
    void aLimitOfLockedMemoryIsNamed() throws InterruptedException {
        pass(
                Stream.concat(LockedMemory.limit(64).stream(), RdmaGuest.ucx("rc").stream())
                        .toList(),
                List.of(),
                List.of(UcxLimitsSuite.class.getName()));
    }
}
