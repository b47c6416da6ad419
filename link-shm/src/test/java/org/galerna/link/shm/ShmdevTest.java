package org.galerna.link.shm;

import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.testkit.device.DeviceContract;

class ShmdevTest extends DeviceContract {
    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("shmdev", wireup, options);
    }
}
