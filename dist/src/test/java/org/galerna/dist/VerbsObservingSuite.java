package org.galerna.dist;

import org.junit.jupiter.api.Test;

/** Jobs over adapters, looked at from outside: {@link AdapterObservingIntegrationTest} runs it where there is one. */
class VerbsObservingSuite {
    private static final String OPTIONS = "-n 3 --procs --device ibvdev -Xmx160m -XX:+UseSerialGC"
            + " -Dgalerna.verbs.gid.index=1,2,3,4 -Dgalerna.verbs.ack.timeout=20 -Dgalerna.peer.timeout=600";

    @Test
    void countersAreThereAfterARankWasKilled() throws Exception {
        ObservingIntegrationTest.killsARank(OPTIONS, 3);
    }
}
