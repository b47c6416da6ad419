package org.galerna.device;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.galerna.link.Reach;
import org.galerna.link.Wireup;

/**
 * A kind of device, found by {@link ServiceLoader}. It says itself what it needs and when it is to be chosen, so that nobody
 * else has to know it by name. All methods may be called by any thread.
 */
public interface DeviceProvider {
    /** Name of the device, such as {@code niodev}. */
    String name();

    /** Which ranks it connects. */
    Reach reach();

    /** What it needs, in words, e.g. {@code "ranks on one host"}. */
    default String needs() {
        return reach().words();
    }

    /**
     * Place among the devices of which {@link Devices#AUTO} takes the first that is available: the lowest is asked first.
     * Empty if the device is not for such a job, or only where somebody asks for it by name. All ranks of a job have to come
     * to the same answer.
     */
    default OptionalInt place(Wireup wireup) {
        return OptionalInt.empty();
    }

    /** Why this machine or job cannot use it, in one sentence; empty if it can, as far as that is known before it is opened. */
    default Optional<String> unavailable(Wireup wireup) {
        return Optional.empty();
    }

    /** The system properties by which one may choose how this device is used, each with its meaning. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /**
     * Reads the system properties of this device, so that a wrong value is known before a job starts.
     *
     * @throws IllegalArgumentException if a property has a value that it cannot have; the message names both
     * @throws org.galerna.link.CommunicationException if this machine does not have what a property asks for
     */
    default void checkSettings() {}

    /** The devices that this provider stands for: itself alone, unless it makes one of each network that it finds. */
    default Stream<DeviceProvider> variants() {
        return Stream.of(this);
    }

    /**
     * Opens the device for this rank, as all ranks of the job do. Returns when all of them have got as far.
     *
     * @param options sizes of the protocols, if somebody wants others than the system properties say; a device that has no such
     *     protocols passes over them
     * @throws org.galerna.link.CommunicationException if it turns out that this machine or job cannot use it
     */
    Device open(Wireup wireup, Optional<DeviceOptions> options);
}
