package org.galerna.link;

import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** A kind of network, found by {@link ServiceLoader}. */
public interface LinkProvider {
    /** Name of the network: {@code threads}, {@code shm}, {@code tcp}, … */
    String name();

    /** The system properties by which a site or user may choose how this network is used, each with its meaning. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /**
     * Reads the system properties of this network, so that a wrong value is known before a job starts.
     *
     * @throws IllegalArgumentException if a property has a value that it cannot have; the message names both
     * @throws CommunicationException if this machine does not have what a property asks for
     */
    default void checkSettings() {}

    /** Why this machine or job cannot use it, in one sentence; empty if it can. */
    Optional<String> unavailable(Wireup wireup);

    /**
     * Name of a faster link that reaches the same peers, so that this one is worth opening beside others only where that
     * one cannot be opened; empty if there is none.
     */
    default Optional<String> substituteFor() {
        return Optional.empty();
    }

    /**
     * Attaches this rank. The link publishes its address through the wire-up; peers can be connected after the next
     * {@linkplain Wireup#fence fence}.
     *
     * @throws CommunicationException if it turns out that this machine or job cannot use it
     */
    Link open(Wireup wireup, LinkOptions options);

    /**
     * The provider of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static LinkProvider named(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("no link named \"" + name + "\" on the class path"));
    }

    /** The provider of that name; empty if there is none. */
    static Optional<LinkProvider> find(String name) {
        // the class loader of Galerna, not the thread's: a rank's own loader need not see the links
        return ServiceLoader.load(LinkProvider.class, LinkProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst();
    }
}
