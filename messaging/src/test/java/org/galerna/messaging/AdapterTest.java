package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes over adapters: software RoCE and iWARP of the Linux kernel, in a virtual machine. */
@Tag("adapter")
@Timeout(3000)
class AdapterTest {
    private static void pass(boolean iwarp, List<String> options, String... tests) throws InterruptedException {
        assertThat(RdmaGuest.prepare(iwarp).runTests(options, List.of(tests)))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    void threeNodesTalkOverRoce() throws InterruptedException {
        pass(false, List.of(RdmaGuest.SEVERAL_ADDRESSES), VerbsSuite.class.getName());
    }

    @Test
    @Tag("slow")
    void aKilledNodeIsReportedAndFoundAgainOverRoce() throws InterruptedException {
        pass(
                false,
                List.of(RdmaGuest.SEVERAL_ADDRESSES),
                VerbsProcessesSuite.class.getName() + "#whatAKilledNodeHasNotReceivedIsReportedOverVerbs");
    }

    @Test
    @Tag("slow")
    void threeNodesTalkOverIwarp() throws InterruptedException {
        pass(true, List.of("-Dgalerna.verbs.adapter=siw0"), VerbsSuite.class.getName());
    }
}
