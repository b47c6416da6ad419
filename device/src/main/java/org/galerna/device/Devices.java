package org.galerna.device;

import java.util.List;
import org.galerna.link.Wireup;

/** The devices by name. */
public final class Devices {
    /** Names that {@link #open} knows, the preferred one first. */
    public static final List<String> NAMES = List.of("smdev");

    private Devices() {}

    /**
     * Opens a device for this rank; every rank of the job must open the same one.
     *
     * @param name e.g. {@code "smdev"}, or {@code "auto"} for the fastest that the job can use
     * @throws IllegalArgumentException if there is no device of that name
     */
    public static Device open(String name, Wireup wireup) {
        return open(name, wireup, DeviceOptions.fromSystemProperties());
    }

    /** As {@link #open(String, Wireup)}, with explicit options. */
    public static Device open(String name, Wireup wireup, DeviceOptions options) {
        if (name.equals("smdev") || name.equals("auto")) {
            return MatchingDevice.open("smdev", "threads", wireup, options);
        }
        throw new IllegalArgumentException("no device named \"" + name + "\"; there are " + NAMES);
    }
}
