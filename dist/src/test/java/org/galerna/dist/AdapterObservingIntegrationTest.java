package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counters of jobs over software RoCE of Linux, in a virtual machine. */
@Tag("slow") // and not "adapter", for which continuous integration would build all of this module
@Timeout(3000)
class AdapterObservingIntegrationTest {
    @Test
    void countersAreThereAfterARankWasKilledOverRoce() throws InterruptedException {
        assertThat(RdmaGuest.prepare(false).runTests(List.of(), List.of(VerbsObservingSuite.class.getName())))
                .contains("1 tests have passed, 0 have failed");
    }
}
