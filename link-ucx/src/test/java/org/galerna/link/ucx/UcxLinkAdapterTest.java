package org.galerna.link.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The link over an adapter: software RoCE of the Linux kernel, in a virtual machine. */
@Tag("adapter")
@Timeout(3000)
class UcxLinkAdapterTest {
    private static void pass(String transport, String part) throws InterruptedException {
        assertThat(RdmaGuest.prepare(false)
                        .runTests(RdmaGuest.ucx(transport), List.of(part), List.of(UcxLinkSuite.class.getName())))
                .contains(" tests have passed, 0 have failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "ud"})
    @Tag("slow")
    void theContractHoldsOverRoce(String transport) throws InterruptedException {
        pass(transport, RdmaGuest.QUICK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "ud"})
    @Tag("slow")
    void theRestOfTheContractHoldsOverRoce(String transport) throws InterruptedException {
        pass(transport, RdmaGuest.REST);
    }
}
