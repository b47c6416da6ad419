package org.galerna.device;

import java.util.List;
import java.util.ServiceLoader;
import org.galerna.link.Extensions;

/**
 * Stands before the device of a rank, to count or record what goes through it; see {@link ForwardingDevice}. Found by
 * {@link ServiceLoader}.
 */
public interface DeviceDecorator {
    /** Whether the settings of this process ask for it. */
    boolean isWanted();

    /**
     * The device that the rank is to use.
     *
     * @param device the one that it would use otherwise; closing the new one closes it
     * @param rankLoader class loader that holds what belongs to the rank alone
     */
    Device decorate(Device device, ClassLoader rankLoader);

    /** The device with all decorations that the settings of this process ask for. */
    static Device decorated(Device device, ClassLoader rankLoader) {
        Device decorated = device;
        for (DeviceDecorator each : Wanted.DECORATORS) {
            decorated = each.decorate(decorated, rankLoader);
        }
        return decorated;
    }

    /** Looked for once in a process. */
    final class Wanted {
        private static final List<DeviceDecorator> DECORATORS = Extensions.providers(DeviceDecorator.class)
                .filter(DeviceDecorator::isWanted)
                .toList();

        private Wanted() {}
    }
}
