package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The device over an adapter: software RoCE of the Linux kernel, in a virtual machine. */
@Tag("adapter")
@Timeout(3000)
class OfiAdapterTest {
    private static void pass(List<String> options, List<String> tests) throws InterruptedException {
        // software RoCE has completion queues of 32767, and libfabric wants one for 256 ranks otherwise
        assertThat(RdmaGuest.prepare(false).runTests(List.of("env", "FI_UNIVERSE_SIZE=16"), options, tests))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    void messagesOfEverySizeTravelOverRoce() throws InterruptedException {
        pass(List.of(), List.of(OfidevSuite.class.getName() + "#everyWayToSendReachesEveryWayToReceiveAtEverySize"));
    }

    @Test
    @Tag("slow")
    void theContractHoldsOverRoce() throws InterruptedException {
        pass(List.of(RdmaGuest.QUICK), List.of(OfidevSuite.class.getName()));
    }
}
