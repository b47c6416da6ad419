package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets over adapters: software RoCE and iWARP of the Linux kernel, in a virtual machine. */
@Tag("slow")
@Timeout(3000)
class AdapterTest {
    private static void pass(boolean iwarp, List<String> options) throws InterruptedException {
        assertThat(RdmaGuest.prepare(iwarp).runTests(options, List.of(VerbsPipesSuite.class.getName())))
                .contains(" tests have passed, 0 have failed");
    }

    @Test
    void connectionsGoOverRoce() throws InterruptedException {
        pass(false, List.of(RdmaGuest.SEVERAL_ADDRESSES));
    }

    @Test
    void connectionsGoOverIwarp() throws InterruptedException {
        pass(true, List.of("-Dgalerna.verbs.adapter=siw0", "-Dgalerna.test.address=10.78.0.1"));
    }
}
