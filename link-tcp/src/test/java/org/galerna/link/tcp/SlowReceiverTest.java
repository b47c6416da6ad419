package org.galerna.link.tcp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank that leaves while its messages wait for one that takes its time. */
class SlowReceiverTest {
    /** As much as the ring and the system's queues take while nobody reads: more would keep the sender from leaving. */
    private static final int MESSAGES = 4;

    private static final int BYTES = 120_000;

    /** The fault itself: so long the receiver does something else before it takes the first message. */
    private static final long PAUSE_NANOS = 2_500_000_000L;

    @Test
    @Fault(21)
    void getsEverythingThatWasSentBeforeTheSenderLeft() {
        leaveEarly("niodev");
    }

    @ParameterizedTest
    @Tag("slow")
    @Fault(21)
    @ValueSource(strings = {"iodev", "unixdev"})
    void getsEverythingOverOtherSocketsToo(String device) {
        leaveEarly(device);
    }

    private static void leaveEarly(String name) {
        List<InProcessWireup> job = TestJobs.of(2);
        RankThreads.run(2, me -> {
            try (InProcessWireup wireup = job.get(me);
                    Device device = Devices.open(name, wireup)) {
                if (me == 0) {
                    List<Request> sends = new ArrayList<>();
                    for (int number = 0; number < MESSAGES; number++) {
                        sends.add(device.isend(Payload.of(number, BYTES), 0, BYTES, 1, number, 0));
                    }
                    for (Request each : sends) {
                        each.await();
                        each.release();
                    }
                    return; // its device is closed, and so are its sockets
                }
                byte[] bytes = new byte[BYTES];
                for (long until = System.nanoTime() + PAUSE_NANOS, left = PAUSE_NANOS;
                        left > 0;
                        left = until - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                for (int number = 0; number < MESSAGES; number++) {
                    device.recv(bytes, 0, BYTES, 0, number, 0).release();
                    Payload.difference(bytes, number).ifPresent(wrong -> {
                        throw new AssertionError(wrong);
                    });
                }
            }
        });
    }
}
