package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.link.Wireup;
import org.galerna.link.ofi.adapter.OfiOptions;
import org.galerna.link.ofi.adapter.ProviderChoice;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.junit.jupiter.api.Test;

/** A rank that is there, and whose provider is not: it has gone between the start and the first message. */
class UnreachableTest implements OfidevSubject {
    @Test
    @Fault(17)
    void itIsNamed() {
        List<InProcessWireup> job = newJob(2);
        CountDownLatch named = new CountDownLatch(1);
        RankThreads.run(2, rank -> {
            Wireup wireup = rank == 1 ? job.get(1) : new Outdated(job.get(0));
            try (Device device = open(wireup, DeviceOptions.DEFAULT)) {
                if (rank == 0) {
                    assertThatThrownBy(() -> {
                                device.send(new byte[8], 0, 8, 1, 1, 0);
                                device.recv(new byte[8], 0, 8, 1, 1, 0);
                            })
                            .isInstanceOf(DeviceException.class)
                            .hasMessageContaining("rank 1 is gone: it is there, and libfabric's provider tcp;ofi_rxm");
                    named.countDown();
                }
                named.await();
            }
        });
    }

    /** Has the address of an endpoint that is closed in place of that of rank 1. */
    private static final class Outdated extends ForwardingWireup {
        private final byte[] address;

        Outdated(Wireup real) throws Exception {
            super(real);
            OfiEndpoint closed = OfiEndpoint.open(OfiLibrary.open(), ProviderChoice.of(OfiOptions.read()), 1);
            address = closed.address();
            closed.close();
        }

        @Override
        public byte[] get(int rank, String key) {
            byte[] value = super.get(rank, key);
            if (rank == 1 && key.startsWith("galerna.ofi.") && key.endsWith(".address") && isOfProvider(value)) {
                System.arraycopy(address, 0, value, value.length - address.length, address.length);
            }
            return value;
        }

        private boolean isOfProvider(byte[] value) {
            byte[] name = System.getProperty(OfiSubject.PROVIDER).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            return Arrays.equals(name, Arrays.copyOf(value, name.length));
        }
    }
}
