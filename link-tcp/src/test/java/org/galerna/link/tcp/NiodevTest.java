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
import org.junit.jupiter.api.Test;

class NiodevTest extends DeviceContract {
    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("niodev", wireup, options);
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }

    /** Makes 136 connections. */
    @Override
    @Test
    @Tag("slow")
    public void seventeenRanksSendToAll() {
        super.seventeenRanksSendToAll();
    }
}
