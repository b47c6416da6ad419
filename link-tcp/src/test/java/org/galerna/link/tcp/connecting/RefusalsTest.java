package org.galerna.link.tcp.connecting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.galerna.link.tcp.connecting.Refusals.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_ERR)
class RefusalsTest {
    @Test
    void callsOfRanksThatAreStoppedAreCountedInSilence() {
        Refusals refusals = new Refusals("rank 0", false);
        assertThat(said(() -> refusals.add(Kind.TOO_SLOW, "it has not proved itself in time")))
                .isEmpty();
        assertThat(refusals.of(Kind.TOO_SLOW)).isEqualTo(1);
    }

    @Test
    void wrongKeysAreReportedOnce() {
        Refusals refusals = new Refusals("rank 0", false);
        String said = said(() -> {
            refusals.add(Kind.WRONG_PROOF, "wrong proof");
            refusals.add(Kind.WRONG_PROOF, "wrong proof");
        });
        assertThat(said).containsOnlyOnce("galerna: rank 0 has refused a connection: wrong proof");
        assertThat(refusals.of(Kind.WRONG_PROOF)).isEqualTo(2);
    }

    private static String said(Runnable action) {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(before);
        }
        return said.toString(StandardCharsets.UTF_8);
    }
}
