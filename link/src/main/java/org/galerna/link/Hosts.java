package org.galerna.link;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Which ranks of a job run on the same host. Hosts are numbered from 0, in the order of their lowest ranks, so that all
 * ranks number them alike. What counts as one is said by {@link Host#isBeside}.
 */
public final class Hosts {
    private static final String KEY = "galerna.host";

    private final int[] hosts;
    private final int number;

    private Hosts(int[] hosts, int number) {
        this.hosts = hosts;
        this.number = number;
    }

    /** Tells the others where this rank runs; to be called by every rank before the fence after which {@link #of} is. */
    public static void publish(Wireup wireup) {
        wireup.put(KEY, Host.here().encode().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The hosts of a job whose ranks have all {@linkplain #publish published} theirs. May wait for the wire-up.
     *
     * @throws CommunicationException if a rank has published something else
     */
    public static Hosts of(Wireup wireup) {
        List<Host> found = new ArrayList<>();
        int[] hosts = new int[wireup.size()];
        for (int rank = 0; rank < hosts.length; rank++) {
            hosts[rank] = number(found, published(wireup, rank));
        }
        return new Hosts(hosts, found.size());
    }

    private static Host published(Wireup wireup, int rank) {
        try {
            return Host.decode(new String(wireup.get(rank, KEY), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            throw new CommunicationException(
                    "rank " + rank + " has published where it runs in another way than this version of Galerna: "
                            + malformed.getMessage(),
                    malformed);
        }
    }

    private static int number(List<Host> found, Host host) {
        for (int number = 0; number < found.size(); number++) {
            if (found.get(number).isBeside(host)) {
                return number;
            }
        }
        found.add(host);
        return found.size() - 1;
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
