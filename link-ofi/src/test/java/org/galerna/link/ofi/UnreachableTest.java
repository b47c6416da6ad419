package org.galerna.link.ofi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.galerna.link.Wireup;
import org.galerna.link.ofi.adapter.OfiOptions;
import org.galerna.link.ofi.adapter.ProviderChoice;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.galerna.testkit.device.DeviceUnreachable;
import org.galerna.testkit.wireup.ForwardingWireup;

/** A rank that is there, and whose provider is not: it has gone between the start and the first message. */
class UnreachableTest implements OfidevSubject, DeviceUnreachable {
    @Override
    public Wireup outdated(Wireup real) throws Exception {
        return new Outdated(real);
    }

    @Override
    public String reason() {
        return "it is there, and libfabric's provider tcp;ofi_rxm";
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
            byte[] name = System.getProperty(OfiSubject.PROVIDER).getBytes(UTF_8);
            return Arrays.equals(name, Arrays.copyOf(value, name.length));
        }
    }
}
