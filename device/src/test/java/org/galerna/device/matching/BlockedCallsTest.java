package org.galerna.device.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.Waited;
import org.galerna.link.RankMonitor;
import org.galerna.link.wireup.InProcessWireup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedCallsTest {
    @Test
    void aCallIsListedWhileItSleepsAndNotAfterItWasGivenUp() throws Exception {
        InProcessWireup wireup =
                InProcessWireup.create(1, (rank, status, reason) -> {}).get(0);
        Device device = Devices.open("smdev", wireup);
        RankMonitor monitor = wireup.monitors().get(0);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread receiver = Thread.ofPlatform().daemon().start(() -> {
            try {
                device.recv(new byte[1], 0, 1, 0, 7, 0);
            } catch (DeviceException expected) {
                thrown.set(expected);
            }
        });
        List<RankMonitor.Blocked> blocked;
        do {
            Thread.yield();
            blocked = monitor.blocked();
        } while (blocked.isEmpty());
        assertThat(blocked).singleElement().satisfies(call -> {
            assertThat(call.thread()).isSameAs(receiver);
            assertThat(call.operation()).isEqualTo("receive from rank 0, tag 7");
            assertThat(call.peer()).isZero();
        });
        monitor.giveUp();
        receiver.join();
        assertThat(thrown.get()).hasMessageContaining("the job is over");
        assertThat(monitor.blocked()).isEmpty();
    }

    /** A condition that throws stands for whatever may be thrown out of a wait that has begun to sleep. */
    @Test
    void aCallIsNotListedAfterItHasThrown() {
        InProcessWireup wireup =
                InProcessWireup.create(1, (rank, status, reason) -> {}).get(0);
        RankMonitor monitor;
        try (Device device = Devices.open("smdev", wireup)) {
            monitor = wireup.monitors().get(0);
            Waited broken = new Waited() {
                @Override
                public boolean isDone() {
                    if (!monitor.blocked().isEmpty()) {
                        throw new IllegalStateException("thrown while blocked");
                    }
                    return false;
                }

                @Override
                public String operation() {
                    return "a wait that breaks";
                }

                @Override
                public int awaitedPeer() {
                    return Device.ANY_SOURCE;
                }
            };
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> ((MatchingDevice) device).progress().await(broken))
                    .withMessage("thrown while blocked");
            assertThat(monitor.blocked()).isEmpty();
        }
    }
}
