package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that does not come whole, because its receiver has another limit for short messages and less room for it. */
class PartOfMessageTest implements UcxdevSubject {
    private static final DeviceOptions LITTLE_ROOM = new DeviceOptions(100, 0);
    private static final DeviceOptions MUCH_ROOM = new DeviceOptions(64 * 1024, 0);

    /** UCX takes it in one piece or in several. */
    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {1000, 60_000})
    void anUnexpectedOneBreaksTheWayFromItsSender(int size) {
        List<InProcessWireup> job = newJob(2);
        CountDownLatch over = new CountDownLatch(1);
        RankThreads.run(2, rank -> {
            if (rank == 1) {
                try (Device device = open(job.get(1), MUCH_ROOM)) {
                    device.send(new byte[size], 0, size, 0, 1, 0);
                    over.await();
                }
                return;
            }
            try (Device device = open(job.get(0), LITTLE_ROOM)) {
                assertThatThrownBy(() -> device.probe(1, 1, 0))
                        .isInstanceOf(DeviceException.class)
                        .hasMessageContaining("rank 1")
                        .hasMessageContaining("the connection to it is broken: Message truncated");
            } finally {
                over.countDown();
            }
        });
    }
}
