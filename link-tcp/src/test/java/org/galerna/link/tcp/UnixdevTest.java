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

/** As {@link NiodevTest} but for how sockets are found; so it need not be run each time. */
@Tag("slow")
class UnixdevTest extends DeviceContract {
    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("unixdev", wireup, options);
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }
}
