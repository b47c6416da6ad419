package org.galerna.link.verbs;

import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.testkit.device.DeviceContract;

/** The contract of devices, where there is an adapter: {@link AdapterTest} runs it. */
class IbvdevSuite extends DeviceContract {
    @Override
    public Device open(Wireup wireup, DeviceOptions options) {
        return Devices.open("ibvdev", wireup, options);
    }
}
