package org.galerna.link.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The link over an adapter: software RoCE of the Linux kernel, in a virtual machine. */
@Tag("adapter")
@Timeout(3000)
class UcxLinkAdapterTest {
    private static void pass(String part) throws InterruptedException {
        assertThat(RdmaGuest.prepare(false)
                        .runTests(RdmaGuest.ucx("rc"), List.of(part), List.of(UcxLinkSuite.class.getName())))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    @Tag("slow")
    void theContractHoldsOverRoce() throws InterruptedException {
        pass(RdmaGuest.QUICK);
    }

    @Test
    @Tag("slow")
    void theRestOfTheContractHoldsOverRoce() throws InterruptedException {
        pass(RdmaGuest.REST);
    }
}
