package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.Test;

/** A rank that is there, and whose network is not: it has gone between the start and the first message. */
public interface DeviceUnreachable extends DeviceSubject {
    /** A wire-up that has the address of something that is closed in place of that of rank 1. */
    Wireup outdated(Wireup real) throws Exception;

    /** What the message about rank 1 says. */
    String reason();

    /** It is named with the reason. */
    @Test
    @Fault(
            value = 17,
            on = {Where.UCX, Where.OFI})
    default void whoIsThereAndIsNotReachedIsNamed() {
        List<? extends Wireup> job = newJob(2);
        CountDownLatch named = new CountDownLatch(1);
        RankThreads.run(2, rank -> {
            Wireup wireup = rank == 1 ? job.get(1) : outdated(job.get(0));
            try (Device device = open(wireup, DeviceOptions.DEFAULT)) {
                if (rank == 0) {
                    assertThatThrownBy(() -> {
                                device.send(new byte[8], 0, 8, 1, 1, 0);
                                device.recv(new byte[8], 0, 8, 1, 1, 0);
                            })
                            .isInstanceOf(DeviceException.class)
                            .hasMessageContaining("rank 1 is gone: ")
                            .hasMessageContaining(reason());
                    named.countDown();
                }
                named.await();
            }
        });
    }
}
