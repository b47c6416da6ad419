package org.galerna.device.recording;

import org.galerna.device.Device;
import org.galerna.device.DeviceDecorator;
import org.galerna.link.events.FlightEvents;

/** Stands before devices where messages are recorded; found by {@code ServiceLoader}. */
public final class MessageEventsDecorator implements DeviceDecorator {
    /** For {@code ServiceLoader}. */
    public MessageEventsDecorator() {}

    @Override
    public boolean isWanted() {
        return FlightEvents.areMessagesRecorded();
    }

    @Override
    public Device decorate(Device device, ClassLoader rankLoader) {
        return new MessageEventsDevice(device);
    }
}
