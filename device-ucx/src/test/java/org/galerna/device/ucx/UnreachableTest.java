package org.galerna.device.ucx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.link.wireup.LongValues;
import org.galerna.nativeaccess.ucx.UcxException;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.device.DeviceUnreachable;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.junit.jupiter.api.Test;

/** A rank that another one cannot connect to, because its memory is not there any more. */
class UnreachableTest implements UcxdevSubject, DeviceUnreachable {
    private static final String ADDRESS = "galerna.ucx.address";

    /** It has said that it leaves, and been heard or not: that is why it cannot be reached. */
    @Test
    void aRankThatHasLeftIsSaidToHaveLeft() {
        List<InProcessWireup> job = newJob(2);
        AtomicReference<RankMonitor> leaver = new AtomicReference<>();
        CountDownLatch told = new CountDownLatch(1);
        RankThreads.run(2, rank -> {
            if (rank == 1) {
                try (Device device = open(new Watched(job.get(1), leaver), DeviceOptions.DEFAULT)) {
                    device.send(new byte[8], 0, 8, 0, 1, 0);
                    told.await();
                }
                return;
            }
            try (Device device = open(new Outdated(job.get(0)), DeviceOptions.DEFAULT)) {
                device.recv(new byte[8], 0, 8, 1, 1, 0);
                leaver.get().abandon();
                for (int time = 0; time < 2; time++) {
                    assertThatThrownBy(() -> device.send(new byte[8], 0, 8, 1, 1, 0))
                            .isInstanceOf(DeviceException.class)
                            .hasMessageContaining("rank 1 is gone: it has left the job");
                }
                told.countDown();
            }
        });
    }

    @Override
    public Wireup outdated(Wireup real) throws UcxException {
        return new Outdated(real);
    }

    @Override
    public String reason() {
        return "ucp_ep_create";
    }

    /** Tells what watches the rank. */
    private static final class Watched extends ForwardingWireup {
        private final AtomicReference<RankMonitor> watching;

        Watched(Wireup real, AtomicReference<RankMonitor> watching) {
            super(real);
            this.watching = watching;
        }

        @Override
        public void observe(RankMonitor monitor) {
            watching.set(monitor);
            super.observe(monitor);
        }
    }

    /** Has the address of a worker that is closed in place of that of rank 1. */
    private static final class Outdated extends ForwardingWireup {
        private final Wireup closed = InProcessWireup.create(1, (_, _, _) -> {}).getFirst();

        Outdated(Wireup real) throws UcxException {
            super(real);
            UcxWorker worker = UcxWorker.open(UcxLibrary.open(), (_, _) -> {}, 1, 0, Map.of());
            LongValues.put(closed, ADDRESS, worker.address());
            worker.close();
            closed.fence();
        }

        @Override
        public byte[] get(int rank, String key) {
            return rank == 1 && key.startsWith(ADDRESS) ? closed.get(0, key) : super.get(rank, key);
        }
    }
}
