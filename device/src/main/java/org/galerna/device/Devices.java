package org.galerna.device;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.galerna.link.InProcessWireup;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.PeerTimeout;
import org.galerna.link.ShortTurns;
import org.galerna.link.Wireup;
import org.galerna.link.hybrid.HybridLink;

/** The devices by name. */
public final class Devices {
    /** Ranks are threads of one JVM. */
    public static final String SMDEV = "smdev";

    /** Ranks are processes of one host. */
    public static final String SHMDEV = "shmdev";

    /** The fastest link to each peer. */
    public static final String HYBDEV = "hybdev";

    /** Name that stands for the fastest device that the job can use. */
    public static final String AUTO = "auto";

    /**
     * System property: the links of {@link #HYBDEV}, the fastest first, with commas between them; the same for all ranks.
     * Default {@code threads,shm,unix,verbs,tcp}.
     */
    public static final String HYBRID_LINKS = "galerna.hybrid.links";

    private static final Map<String, List<String>> LINKS = links();

    /** Names that {@link #open} knows, the preferred one first. */
    public static final List<String> NAMES = List.copyOf(LINKS.keySet());

    private Devices() {}

    /** Each device with the names of its links, the fastest first. */
    private static Map<String, List<String>> links() {
        Map<String, List<String>> links = new LinkedHashMap<>();
        links.put(SMDEV, List.of("threads"));
        links.put(SHMDEV, List.of("shm"));
        links.put("niodev", List.of("tcp"));
        links.put("iodev", List.of("tcp-blocking"));
        links.put("unixdev", List.of("unix"));
        links.put("ibvdev", List.of("verbs"));
        links.put(HYBDEV, List.of("threads", "shm", "unix", "verbs", "tcp"));
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
        List<String> links = chosen.equals(HYBDEV) ? hybridLinks() : LINKS.get(chosen);
        if (links == null) {
            throw new IllegalArgumentException("no device named \"" + name + "\"; there are " + NAMES);
        }
        return MatchingDevice.open(chosen, link(chosen, links, wireup), wireup, options);
    }

    /** The system properties by which one may choose how devices and their networks are used, each with its meaning. */
    public static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>(DeviceOptions.MEANINGS);
        settings.put(ShortTurns.TURN, "longest turn of a rank on a processor that others want too, in microseconds");
        settings.put(PeerTimeout.PROPERTY, "seconds without an answer of a host after which its ranks are lost");
        settings.put(HYBRID_LINKS, "the links of hybdev, the fastest first, e.g. shm,tcp to leave adapters alone");
        allLinks().flatMap(link -> LinkProvider.find(link).stream()).forEach(link -> settings.putAll(link.settings()));
        return settings;
    }

    /**
     * Reads all these system properties, so that a wrong value is known before a job starts.
     *
     * @throws IllegalArgumentException if one has a value that it cannot have; the message names both
     * @throws org.galerna.link.CommunicationException if this machine does not have what one asks for
     */
    public static void checkSettings() {
        DeviceOptions unusedOptions = DeviceOptions.fromSystemProperties();
        List<String> unusedLinks = hybridLinks();
        long unusedTurn = ShortTurns.micros();
        double unusedPatience = PeerTimeout.seconds();
        allLinks().flatMap(link -> LinkProvider.find(link).stream()).forEach(LinkProvider::checkSettings);
    }

    /** Why this machine cannot use a device, in one sentence; empty if it can, as far as that is known without a job. */
    public static Optional<String> obstacle(String name) {
        List<String> links = LINKS.getOrDefault(name, List.of());
        if (links.size() != 1) {
            return Optional.empty();
        }
        Wireup alone = InProcessWireup.create(1, (_, _, _) -> {}).getFirst();
        return LinkProvider.find(links.getFirst())
                .flatMap(provider -> provider.unavailable(alone))
                .map(reason -> "device " + name + " cannot be used: " + reason);
    }

    private static Stream<String> allLinks() {
        return LINKS.values().stream().flatMap(List::stream).distinct();
    }

    private static List<String> hybridLinks() {
        List<String> all = LINKS.getOrDefault(HYBDEV, List.of());
        String wanted = System.getProperty(HYBRID_LINKS);
        if (wanted == null || wanted.isBlank()) {
            return all;
        }
        List<String> names =
                Arrays.stream(wanted.split(",", -1)).map(String::strip).toList();
        for (String name : names) {
            if (!all.contains(name)) {
                throw new IllegalArgumentException(
                        HYBRID_LINKS + " knows " + String.join(", ", all) + ", and not \"" + name + "\"");
            }
        }
        return names;
    }

    private static Link link(String device, List<String> names, Wireup wireup) {
        if (device.equals(HYBDEV)) {
            return HybridLink.open(names, wireup, LinkOptions.DEFAULT);
        }
        LinkProvider provider = LinkProvider.named(names.getFirst());
        provider.unavailable(wireup).ifPresent(reason -> {
            throw new DeviceException(ErrorClass.OTHER, "device " + device + " cannot be used: " + reason);
        });
        return provider.open(wireup, LinkOptions.DEFAULT);
    }
}
