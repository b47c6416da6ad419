package org.galerna.link.ofi;

import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.device.DeviceSubject;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The device over libfabric, between threads. */
interface OfidevSubject extends DeviceSubject {
    /** Name of the provider. */
    default String providerName() {
        return "tcp;ofi_rxm";
    }

    @BeforeEach
    default void choose() throws Exception {
        OfiSubject.choose(providerName());
    }

    @AfterEach
    default void forget() {
        System.clearProperty(OfiSubject.PROVIDER);
    }

    @Override
    default Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("ofidev", wireup, options);
    }

    @Override
    default List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
