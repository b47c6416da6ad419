package org.galerna.link.ucx;

import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.galerna.testkit.device.DeviceContract;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Matching over the frames of UCX keeps what every device keeps. */
@Tag("slow")
class UcxLinkDeviceTest extends DeviceContract {
    @BeforeAll
    static void needsTheLibrary() {
        UcxWorker.unavailable().ifPresent(Assumptions::abort);
    }

    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open(UcxAloneProvider.DEVICE, wireup, options);
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
