package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.galerna.device.Compound;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.device.DeviceProvider;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.memdev.MemoryDeviceProvider;
import org.galerna.testkit.wireup.TestJobs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A device that matches by itself, found by its provider. */
@Tag("slow") // smdev, niodev and shmdev have the contract in the fast tier
class MemdevTest extends DeviceContract {
    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open(MemoryDeviceProvider.NAME, wireup, options);
    }

    @Test
    void isOneOfTheDevicesAndIsNotChosenUnasked() {
        assertThat(Devices.all())
                .extracting(DeviceProvider::name)
                .contains("smdev", "hybdev", MemoryDeviceProvider.NAME);
        Wireup alone = newJob(1).getFirst();
        try (Device device = Devices.open(Devices.AUTO, alone)) {
            assertThat(device.name()).isEqualTo("smdev");
        }
    }

    /** The launcher sees what it waits for, and ends it. */
    @Test
    void aBlockedCallIsReportedAndGivenUp() {
        InProcessWireup wireup = TestJobs.of(1).getFirst();
        try (Device device = open(wireup, DeviceOptions.DEFAULT)) {
            RankMonitor monitor = wireup.monitors().getFirst();
            Thread.ofPlatform().daemon().start(() -> {
                Deadline.after(RankThreads.LIMIT)
                        .await(
                                "the receive is blocked",
                                () -> monitor.blocked().stream()
                                        .anyMatch(call -> call.operation().equals("receive from rank 0, tag 7")));
                monitor.giveUp();
            });
            assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(() -> device.recv(new byte[1], 0, 1, 0, 7, 0))
                    .withMessageContaining("the job is over");
        }
    }

    /** A compound goes on while its rank waits for something else. */
    @Test
    void aCompoundGoesOnWhileItsRankWaits() {
        runJob(2, device -> {
            int peer = 1 - device.rank();
            Request exchange = device.start(new Exchange(device, peer, 100));
            Messages.barrier(device);
            int first = device.awaitAny(new Request[] {device.irecv(new byte[1], 0, 1, peer, 99, 0), exchange});
            assertThat(first).isEqualTo(1);
            assertThat(exchange.hasSucceeded()).isTrue();
        });
    }

    /** So many messages each way, each sent when the one before has come. */
    private static final class Exchange implements Compound {
        private final Device device;
        private final int peer;
        private final int rounds;
        private int round;
        private @Nullable Request receive;

        Exchange(Device device, int peer, int rounds) {
            this.device = device;
            this.peer = peer;
            this.rounds = rounds;
        }

        @Override
        public boolean advance() {
            boolean moved = false;
            while (!isOver()) {
                Request awaited = receive;
                if (awaited == null) {
                    awaited = device.irecv(new byte[8], 0, 8, peer, 1, 1);
                    device.isend(new byte[8], 0, 8, peer, 1, 1);
                    receive = awaited;
                }
                if (!awaited.isDone()) {
                    return moved;
                }
                awaited.release();
                receive = null;
                round++;
                moved = true;
            }
            return moved;
        }

        @Override
        public boolean isOver() {
            return round == rounds;
        }

        @Override
        public String operation() {
            return "exchange";
        }

        @Override
        public int awaitedPeer() {
            return peer;
        }
    }
}
