package org.galerna.profile.record;

import org.galerna.device.Device;
import org.galerna.device.DeviceDecorator;
import org.galerna.profile.ProfileSettings;

/** Stands before the devices of ranks that are recorded. */
public final class RecordingDecorator implements DeviceDecorator {
    @Override
    public boolean isWanted() {
        return ProfileSettings.folder().isPresent();
    }

    @Override
    public Device decorate(Device device, ClassLoader rankLoader) {
        Recorder recorder = Recorders.of(rankLoader);
        if (recorder == null) {
            return device;
        }
        recorder.attach(device);
        return new RecordingDevice(device, recorder);
    }
}
