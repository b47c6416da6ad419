package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.junit.jupiter.api.Test;

class SmdevTest extends DeviceContract {
    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("smdev", wireup, options);
    }

    @Test
    @Fault(27)
    void comingAndGoingLeavesNeitherFilesNorThreadsNorMemory() {
        comeAndGo(20);
        long files = openFiles();
        long threads = Thread.getAllStackTraces().size();
        long heap = heap();
        comeAndGo(200);
        assertThat(openFiles()).isLessThan(files + 10);
        assertThat(Thread.getAllStackTraces()).hasSizeLessThan((int) threads + 10);
        assertThat(heap()).as("bytes of the heap in use").isLessThan(heap + (4 << 20));
    }

    /** Rank 0 has credit for all its messages, and room in the ring for some. A look would take the message of rank 2. */
    @Test
    void aSendThatWaitsForRoomDoesNotLookAtOtherPeers() {
        int messages = 3000;
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        runJob(3, device -> {
            switch (device.rank()) {
                case 0 -> {
                    DeviceCancelling.awaitWithoutCalls(sent);
                    Request receive = device.irecv(new byte[1], 0, 1, 2, 0, 0);
                    Request[] sends = new Request[messages];
                    for (int number = 0; number < messages; number++) {
                        sends[number] = device.isend(new byte[1], 0, 1, 1, number, 0);
                    }
                    assertThat(sends[messages - 1].isDone()).as("had room").isFalse();
                    assertThat(receive.isDone()).as("has looked").isFalse();
                    started.countDown();
                    Messages.finish(receive);
                    for (Request send : sends) {
                        Messages.finish(send);
                    }
                }
                case 1 -> {
                    DeviceCancelling.awaitWithoutCalls(started);
                    for (int number = 0; number < messages; number++) {
                        device.recv(new byte[1], 0, 1, 0, number, 0).release();
                    }
                }
                default -> {
                    device.send(new byte[1], 0, 1, 0, 0, 0);
                    sent.countDown();
                }
            }
        });
    }

    private void comeAndGo(int times) {
        for (int time = 0; time < times; time++) {
            runJob(2, device -> {
                Request send = device.isend(Payload.of(0, 100_000), 0, 100_000, 1 - device.rank(), 1, 0);
                Messages.expect(device, 1 - device.rank(), 1, 100_000, 0);
                Messages.finish(send);
            });
        }
    }

    private static long openFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }

    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int look = 0; look < 5; look++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
