package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.LinkBuffers;
import org.galerna.link.tcp.stream.Outbound;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.Wire;
import org.junit.jupiter.api.Test;

class WaiterTest {
    private static final long FOR_EVER_NANOS = Duration.ofHours(1).toNanos();
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int RING_BYTES = 16 * 1024;

    private final CountDownLatch selecting = new CountDownLatch(1);
    private final ScriptedWire wire = new ScriptedWire().onSelect(selecting::countDown);

    @Test
    void aConnectionThatRunsOutOfRoomOnAnotherThreadIsNotLeftToAWaiterThatDoesNotKnow()
            throws IOException, InterruptedException {
        Runnable[] outOfRoom = {() -> {}};
        Outbound.Events events = new Outbound.Events() {
            @Override
            public void onFull() {
                outOfRoom[0].run();
            }

            @Override
            public void onUnusable(String reason) {
                throw new AssertionError(reason);
            }

            @Override
            public void onLeft(Wire left) {
                throw new AssertionError("nobody leaves " + left);
            }

            @Override
            public void onWireWanted() {
                throw new AssertionError("there is a wire");
            }
        };
        Connection connection = new Connection(
                0, 1, 2, new RegionTable(), lost -> {}, events, () -> {}, new LinkBuffers(RING_BYTES, false));
        connection.connect(wire);
        Waiter waiter = new Waiter("test", () -> new Connection[] {connection});
        outOfRoom[0] = waiter::watchForRoom;
        Thread sleeper = Thread.ofPlatform().daemon().start(() -> {
            waiter.prepare();
            waiter.await(FOR_EVER_NANOS);
        });
        try {
            assertThat(selecting.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(connection.out().isBlocked()).isFalse();
            wire.full();
            connection.out().send(Frames.ALIVE);
            connection.out().flush();
            assertThat(connection.out().isBlocked()).isTrue();
            assertThat(sleeper.join(LIMIT)).as("the sleeper looks again").isTrue();
        } finally {
            waiter.close();
        }
    }

    @Test
    void whatIsRungForIsNotSleptThrough() throws IOException, InterruptedException {
        Waiter waiter = new Waiter("test", () -> new Connection[0]);
        Thread sleeper = Thread.ofPlatform().daemon().start(() -> {
            waiter.prepare();
            waiter.wakeUp();
            waiter.await(FOR_EVER_NANOS);
        });
        try {
            assertThat(sleeper.join(LIMIT)).isTrue();
        } finally {
            waiter.close();
        }
    }
}
