package org.galerna.testkit.device;

/**
 * What every device has to keep, whatever link it is on. A device's module extends this class in its tests and says how
 * it is opened.
 */
public abstract class DeviceContract
        implements DeviceMessages,
                DeviceMatching,
                DeviceCancelling,
                DeviceErrors,
                DeviceLeaving,
                DeviceBursts,
                DeviceCounting,
                DeviceLoad {
    /** For subclasses. */
    protected DeviceContract() {}
}
