package org.galerna.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.galerna.link.Extensions;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;

/** The devices by name, as their {@linkplain DeviceProvider providers} offer them. */
public final class Devices {
    /** Name that stands for the fastest device that the job can use. */
    public static final String AUTO = "auto";

    /** In the order of their reach, and of each reach as their providers give them. */
    private static final List<DeviceProvider> PROVIDERS =
            // the class loader of Galerna, not the thread's: a rank's own loader need not see the devices
            Extensions.providers(DeviceProvider.class)
                    .flatMap(DeviceProvider::variants)
                    .sorted((one, other) -> one.reach().compareTo(other.reach()))
                    .toList();

    private Devices() {}

    /** All of them, those that connect near ranks first. */
    public static List<DeviceProvider> all() {
        return PROVIDERS;
    }

    /** Names that {@link #open} knows; see {@link #all}. */
    public static List<String> names() {
        return PROVIDERS.stream().map(DeviceProvider::name).toList();
    }

    /** The provider of that name; empty if there is none. */
    public static Optional<DeviceProvider> find(String name) {
        return PROVIDERS.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst();
    }

    /**
     * Opens a device for this rank; every rank of the job must open the same one.
     *
     * @param name name of a device, or {@link #AUTO}
     * @throws IllegalArgumentException if there is no device of that name
     */
    public static Device open(String name, Wireup wireup) {
        return open(name, wireup, Optional.empty());
    }

    /** As {@link #open(String, Wireup)}, with explicit options. */
    public static Device open(String name, Wireup wireup, DeviceOptions options) {
        return open(name, wireup, Optional.of(options));
    }

    private static Device open(String name, Wireup wireup, Optional<DeviceOptions> options) {
        DeviceProvider provider = name.equals(AUTO)
                ? automatic(wireup)
                : find(name)
                        .orElseThrow(() ->
                                new IllegalArgumentException("no device named \"" + name + "\"; there are " + names()));
        provider.unavailable(wireup).ifPresent(reason -> {
            throw new DeviceException(ErrorClass.OTHER, obstacle(provider, reason));
        });
        return provider.open(wireup, options);
    }

    private static DeviceProvider automatic(Wireup wireup) {
        record Candidate(DeviceProvider provider, OptionalInt place) {}
        return PROVIDERS.stream()
                .map(provider -> new Candidate(provider, provider.place(wireup)))
                .filter(candidate -> candidate.place.isPresent())
                .sorted((one, other) -> Integer.compare(one.place.getAsInt(), other.place.getAsInt()))
                .map(Candidate::provider)
                .filter(provider -> provider.unavailable(wireup).isEmpty())
                .findFirst()
                .orElseThrow(() -> new DeviceException(
                        ErrorClass.OTHER, "rank " + wireup.rank() + " can use none of the devices " + names()));
    }

    /** The system properties by which one may choose how devices and their networks are used, each with its meaning. */
    public static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        PROVIDERS.forEach(provider -> settings.putAll(provider.settings()));
        return settings;
    }

    /**
     * Reads all these system properties, so that a wrong value is known before a job starts.
     *
     * @throws IllegalArgumentException if one has a value that it cannot have; the message names both
     * @throws org.galerna.link.CommunicationException if this machine does not have what one asks for
     */
    public static void checkSettings() {
        PROVIDERS.forEach(DeviceProvider::checkSettings);
    }

    /** Why this machine cannot use a device, in one sentence; empty if it can, as far as that is known without a job. */
    public static Optional<String> obstacle(String name) {
        Wireup alone = InProcessWireup.create(1, (_, _, _) -> {}).getFirst();
        return find(name).flatMap(provider -> provider.unavailable(alone).map(reason -> obstacle(provider, reason)));
    }

    private static String obstacle(DeviceProvider provider, String reason) {
        return "device " + provider.name() + " cannot be used: " + reason;
    }
}
