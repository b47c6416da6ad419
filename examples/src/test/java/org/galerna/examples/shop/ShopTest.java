package org.galerna.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Test;

class ShopTest {
    private static final Duration PATIENCE = Duration.ofSeconds(150);

    @Test
    void threeProcessesServeStreamStartAgainAndChangeKeys() throws InterruptedException {
        List<String> command = ChildProcess.java(
                List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"), Shop.class, List.of());
        try (ChildProcess shop = ChildProcess.start(command)) {
            assertThat(shop.awaitExit(PATIENCE)).as(shop.err()).isZero();
            assertThat(shop.out())
                    .contains(
                            "tea left: 999998",
                            "sold out: moon",
                            "the parcel is the same: true",
                            "in stock: [moon, tea]",
                            "events in order: true",
                            "answers again; requests failed: true",
                            "keys: 2, node 2 ended with 0 and answers again: true",
                            "keys: 1, node 2 ended with 0 and answers again: true",
                            "node 1 has ended with 0, node 2 with 0");
            assertThat(shop.children()).isEmpty();
        }
    }
}
