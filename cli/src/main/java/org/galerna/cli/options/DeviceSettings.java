package org.galerna.cli.options;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.galerna.cli.usage.UsageException;
import org.galerna.device.Devices;
import org.galerna.link.settings.Spelling;

/** The option that says how a device is to work, as {@code eager.limit=65536}: a system property, but one that exists. */
public final class DeviceSettings {
    public static final String OPTION = "--device-option";

    /** In place of a setting. */
    public static final String HELP = "help";

    /** What the names of the system properties begin with, and the names of this option need not. */
    private static final String PREFIX = "galerna.";

    private DeviceSettings() {}

    /** The names and their meanings, a line for each. */
    public static String help() {
        return OPTION + " has these settings:\n" + meanings(Devices.settings());
    }

    /** The options of the virtual machine that stand for some of this kind. */
    public static List<String> properties(List<String> settings) {
        return settings.stream().map(DeviceSettings::property).toList();
    }

    private static String property(String setting) {
        Map<String, String> known = Devices.settings();
        int equals = setting.indexOf('=');
        if (equals < 1) {
            throw new UsageException(OPTION + " takes NAME=VALUE, or help, not " + setting);
        }
        String name = setting.substring(0, equals);
        String property = name.startsWith(PREFIX) ? name : PREFIX + name;
        if (!known.containsKey(property)) {
            throw new UsageException(OPTION + " has no setting \"" + name + "\""
                    + Spelling.nearest(name.substring(name.startsWith(PREFIX) ? PREFIX.length() : 0), names(known))
                            .map(near -> "; did you mean " + near + "?")
                            .orElse(": it has " + String.join(", ", names(known))));
        }
        return "-D" + property + "=" + setting.substring(equals + 1);
    }

    private static List<String> names(Map<String, String> known) {
        return known.keySet().stream()
                .map(each -> each.substring(PREFIX.length()))
                .sorted()
                .toList();
    }

    private static String meanings(Map<String, String> known) {
        return names(known).stream()
                .map(each -> "  " + each + ": " + known.get(PREFIX + each))
                .collect(Collectors.joining("\n"));
    }
}
