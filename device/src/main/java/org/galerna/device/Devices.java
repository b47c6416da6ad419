package org.galerna.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.galerna.link.InProcessWireup;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.hybrid.HybridLink;

/** The devices by name. */
public final class Devices {
    /** Ranks are threads of one JVM. */
    public static final String SMDEV = "smdev";

    /** The fastest link to each peer. */
    public static final String HYBDEV = "hybdev";

    /** Name that stands for the fastest device that the job can use. */
    public static final String AUTO = "auto";

    private static final Map<String, List<String>> LINKS = links();

    /** Names that {@link #open} knows, the preferred one first. */
    public static final List<String> NAMES = List.copyOf(LINKS.keySet());

    private Devices() {}

    /** Each device with the names of its links, the fastest first. */
    private static Map<String, List<String>> links() {
        Map<String, List<String>> links = new LinkedHashMap<>();
        links.put(SMDEV, List.of("threads"));
        links.put("shmdev", List.of("shm"));
        links.put("niodev", List.of("tcp"));
        links.put("iodev", List.of("tcp-blocking"));
        links.put("unixdev", List.of("unix"));
        links.put("ibvdev", List.of("verbs"));
        links.put(HYBDEV, List.of("threads", "shm", "unix", "tcp"));
        return links;
    }

    /**
     * Opens a device for this rank; every rank of the job must open the same one.
     *
     * @param name e.g. {@code "smdev"}, or {@link #AUTO}
     * @throws IllegalArgumentException if there is no device of that name
     */
    public static Device open(String name, Wireup wireup) {
        DeviceOptions options = DeviceOptions.fromSystemProperties();
        return open(name, wireup, options::tunedFor);
    }

    /** As {@link #open(String, Wireup)}, with explicit options. */
    public static Device open(String name, Wireup wireup, DeviceOptions options) {
        return open(name, wireup, _ -> options);
    }

    private static Device open(String name, Wireup wireup, Function<Link, DeviceOptions> options) {
        String chosen = !name.equals(AUTO) ? name : wireup instanceof InProcessWireup ? SMDEV : HYBDEV;
        List<String> links = LINKS.get(chosen);
        if (links == null) {
            throw new IllegalArgumentException("no device named \"" + name + "\"; there are " + NAMES);
        }
        return MatchingDevice.open(chosen, link(chosen, links, wireup), wireup, options);
    }

    private static Link link(String device, List<String> names, Wireup wireup) {
        if (names.size() > 1) {
            return HybridLink.open(names, wireup, LinkOptions.DEFAULT);
        }
        LinkProvider provider = LinkProvider.named(names.getFirst());
        provider.unavailable(wireup).ifPresent(reason -> {
            throw new DeviceException(ErrorClass.OTHER, "device " + device + " cannot be used: " + reason);
        });
        return provider.open(wireup, LinkOptions.DEFAULT);
    }
}
