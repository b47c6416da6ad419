package org.galerna.testkit.memdev;

import java.util.Optional;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.DeviceProvider;
import org.galerna.link.Reach;
import org.galerna.link.Wireup;

/** Provides the {@link MemoryDevice} to tests that list this class in {@code META-INF/services}. */
public final class MemoryDeviceProvider implements DeviceProvider {
    /** Name of the device. */
    public static final String NAME = "memdev";

    /** For {@link java.util.ServiceLoader}. */
    public MemoryDeviceProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reach reach() {
        return Reach.PROCESS;
    }

    @Override
    public Device open(Wireup wireup, Optional<DeviceOptions> options) {
        return MemoryDevice.join(wireup);
    }
}
