package org.galerna.cli.doctor;

import java.util.List;
import java.util.Optional;
import org.galerna.device.DeviceProvider;
import org.galerna.device.Devices;

/** The devices that there are, and why this machine cannot use one, as far as that is known without a job. */
final class DeviceCheck {
    private static final String CANNOT_BE_USED = "cannot be used";

    private DeviceCheck() {}

    static List<Finding> findings() {
        return Devices.all().stream().map(DeviceCheck::look).toList();
    }

    private static Finding look(DeviceProvider device) {
        String subject = "device " + device.name();
        Optional<String> obstacle = Devices.obstacle(device.name());
        return obstacle.isEmpty()
                ? Finding.good(subject, "usable", "")
                : Finding.less(subject, CANNOT_BE_USED, meaning(device, obstacle.get()));
    }

    /** The subject and the state are said already. */
    static String meaning(DeviceProvider device, String obstacle) {
        String said = "device " + device.name() + " " + CANNOT_BE_USED + ": ";
        String reason = obstacle.startsWith(said) ? obstacle.substring(said.length()) : obstacle;
        return "The device needs " + device.needs() + "; " + reason + ".";
    }
}
