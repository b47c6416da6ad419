package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.device.ForwardingDevice;
import org.galerna.link.Wireup;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A decorator that changes nothing is a device like the one behind it. */
class ForwardingDeviceTest {
    private static final class Decorated extends ForwardingDevice {
        Decorated(Device device) {
            super(device);
        }
    }

    /** A method with a default that is not handed on would answer for the decorator. */
    @Test
    void everyMethodIsHandedOn() {
        for (Method method : Device.class.getMethods()) {
            assertThat(ForwardingDevice.class.getDeclaredMethods())
                    .as(method.toString())
                    .anyMatch(handed -> handed.getName().equals(method.getName())
                            && List.of(handed.getParameterTypes()).equals(List.of(method.getParameterTypes())));
        }
    }

    /** The contract once more. */
    @Nested
    @Tag("slow")
    class Contract extends DeviceContract {
        @Override
        public Device open(Wireup wireup, DeviceOptions options) {
            return new Decorated(Devices.open("smdev", wireup, options));
        }
    }
}
