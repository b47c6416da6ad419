package org.galerna.link;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.function.Function;

/**
 * A kind of network, found by {@link ServiceLoader}. It says itself where it belongs among the others, so that nobody else
 * has to know it by name.
 */
public interface LinkProvider {
    /** Name of the network, such as {@code tcp}; lower-case letters and hyphens. */
    String name();

    /** Which ranks it connects. */
    default Reach reach() {
        return Reach.NETWORK;
    }

    /** What it needs, in words, e.g. {@code "ranks on one host"}. */
    default String needs() {
        return reach().words();
    }

    /**
     * Place among the links of which ranks use the fastest that reaches a peer: the lowest is the fastest. Empty if the link is
     * used only where somebody asks for it by name.
     */
    default OptionalInt place() {
        return OptionalInt.empty();
    }

    /** Whether bytes go through sockets of the system, so that it cannot be faster than they are. */
    default boolean usesSockets() {
        return false;
    }

    /** Name of the device that uses this link alone, in the words of the papers; empty if there is none. */
    default Optional<String> device() {
        return Optional.empty();
    }

    /** Another name of that device, by which the papers know one like it; empty if there is none. */
    default Optional<String> otherDeviceName() {
        return Optional.empty();
    }

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
     * Removes what ranks of this user that were killed have left on this host, unless their job goes on.
     *
     * @param folder in which the ranks have run
     * @param settings what the system property of a name is for these ranks; empty if it is not set
     */
    default void removeLeftovers(Path folder, Function<String, Optional<String>> settings) {}

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
        return all().stream().filter(provider -> provider.name().equals(name)).findFirst();
    }

    /** All providers: by their {@linkplain #place places}, those without one last. */
    static List<LinkProvider> all() {
        return Found.PROVIDERS;
    }

    /** Looked for once in a process. */
    final class Found {
        // the class loader of Galerna, not the thread's: a rank's own loader need not see the links
        private static final List<LinkProvider> PROVIDERS = Extensions.providers(LinkProvider.class)
                .sorted(LinkProvider::compare)
                .toList();

        private Found() {}
    }

    private static int compare(LinkProvider one, LinkProvider other) {
        int places = Integer.compare(
                one.place().orElse(Integer.MAX_VALUE), other.place().orElse(Integer.MAX_VALUE));
        return places != 0 ? places : one.name().compareTo(other.name());
    }

    /**
     * The provider of the fastest link of that reach.
     *
     * @throws IllegalStateException if there is none
     */
    static LinkProvider within(Reach reach) {
        return placed().stream()
                .filter(provider -> provider.reach() == reach)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no link between " + reach.words()));
    }

    /** The providers of links that ranks use without being asked, the fastest first. */
    static List<LinkProvider> placed() {
        return all().stream().filter(provider -> provider.place().isPresent()).toList();
    }
}
