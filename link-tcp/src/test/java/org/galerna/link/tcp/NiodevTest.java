package org.galerna.link.tcp;

import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.device.DeviceContract;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Tag;

/** The fast tier has the same over shared memory. */
@Tag("slow")
class NiodevTest extends DeviceContract {
    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("niodev", wireup, options);
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
