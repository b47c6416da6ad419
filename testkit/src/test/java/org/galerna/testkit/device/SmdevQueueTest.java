package org.galerna.testkit.device;

import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.support.PrivateRings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The device between threads as in jobs of many ranks: a receive queue, and rings for few busy pairs. */
@Tag("slow") // smdev, niodev and shmdev have the contract in the fast tier
class SmdevQueueTest extends DeviceContract {
    @BeforeEach
    void oneRing() {
        System.setProperty(PrivateRings.PROPERTY, "1");
    }

    @AfterEach
    void asUsual() {
        System.clearProperty(PrivateRings.PROPERTY);
    }

    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("smdev", wireup, options);
    }
}
