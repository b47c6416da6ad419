package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketException;
import java.util.concurrent.CompletableFuture;

/** What a test does with a connection on a thread of its own, or until the connection ends. */
final class Actions {
    private static final int MOST_TIMES = 50_000;

    private Actions() {}

    /** Begins something on a thread of its own. */
    static CompletableFuture<Void> run(SocketPair.Action action) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        action.run();
                    } catch (Exception failed) {
                        throw new IllegalStateException(failed);
                    }
                },
                work -> Thread.ofPlatform().daemon().start(work));
    }

    /** Repeats something until the connection is closed. Nothing but what sockets throw may come. */
    static void untilClosed(SocketPair.Action action) throws Exception {
        try {
            for (int time = 0; time < MOST_TIMES; time++) {
                action.run();
            }
        } catch (SocketException closed) {
            assertThat(closed.getMessage()).containsAnyOf("Socket closed", "Broken pipe", "Connection reset");
        }
    }
}
