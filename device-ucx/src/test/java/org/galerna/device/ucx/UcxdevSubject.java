package org.galerna.device.ucx;

import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.testkit.device.DeviceSubject;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** The device over UCX, between threads. */
interface UcxdevSubject extends DeviceSubject {
    @BeforeAll
    static void needsTheLibrary() {
        UcxLibrary.unavailable().ifPresent(Assumptions::abort);
    }

    @Override
    default Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open(UcxDeviceProvider.NAME, wireup, options);
    }

    @Override
    default List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
