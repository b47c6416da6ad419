package org.galerna.examples.kvstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KeyValueStoreTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    @Test
    @Tag("slow")
    void threeProcessesFindEveryRowAgain() throws InterruptedException {
        List<String> command =
                ChildProcess.java(List.of("--enable-native-access=ALL-UNNAMED"), ThreeProcesses.class, List.of());
        try (ChildProcess store = ChildProcess.start(command)) {
            assertThat(store.awaitExit(PATIENCE)).as(store.err()).isZero();
            assertThat(store.out())
                    .contains("10000 of 10000 rows were found again")
                    .contains("node 0 has 3319", "node 1 has 3343", "node 2 has 3338");
            assertThat(store.children()).isEmpty();
        }
    }
}
