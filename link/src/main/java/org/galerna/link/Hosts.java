package org.galerna.link;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Which ranks of a job run on the same host. Hosts are numbered from 0, in the order of their lowest ranks, so that all
 * ranks number them alike. A name space with a host name of its own counts as a host.
 */
public final class Hosts {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAME = Path.of("/proc/sys/kernel/hostname");
    private static final String KEY = "galerna.host";

    private final int[] hosts;
    private final int number;

    private Hosts(int[] hosts, int number) {
        this.hosts = hosts;
        this.number = number;
    }

    /** Tells the others where this rank runs; to be called by every rank before the fence after which {@link #of} is. */
    public static void publish(Wireup wireup) {
        wireup.put(KEY, identity().getBytes(StandardCharsets.UTF_8));
    }

    /** The hosts of a job whose ranks have all {@linkplain #publish published} theirs. May wait for the wire-up. */
    public static Hosts of(Wireup wireup) {
        Map<String, Integer> numbers = new HashMap<>();
        int[] hosts = new int[wireup.size()];
        for (int rank = 0; rank < hosts.length; rank++) {
            String identity = new String(wireup.get(rank, KEY), StandardCharsets.UTF_8);
            hosts[rank] = numbers.computeIfAbsent(identity, unseen -> numbers.size());
        }
        return new Hosts(hosts, numbers.size());
    }

    private static String identity() {
        try {
            // the name alone would not do: machines are cloned
            return Files.readString(BOOT).strip() + " " + Files.readString(NAME).strip();
        } catch (IOException notLinux) {
            return InetAddress.getLoopbackAddress().getHostName();
        }
    }

    /** Number of the host that a rank runs on. */
    public int hostOf(int rank) {
        return hosts[rank];
    }

    /** Number of hosts, at least 1. */
    public int number() {
        return number;
    }

    /** Number of ranks that run on the host of a rank, that one included. */
    public int ranksBeside(int rank) {
        int beside = 0;
        for (int host : hosts) {
            beside += host == hosts[rank] ? 1 : 0;
        }
        return beside;
    }
}
