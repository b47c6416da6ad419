package org.galerna.link;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Which ranks of a job run on the same host, and which of them reach each other through a common heap. Hosts and heaps are
 * numbered from 0, in the order of their lowest ranks, so that all ranks number them alike. What counts as one host is said
 * by {@link Host#isBeside}.
 */
public final class Hosts {
    private static final String KEY = "galerna.host";

    /** Between a host and a heap. */
    private static final char SEPARATOR = '\n';

    /** The heap of this JVM. */
    private static final String HEAP = UUID.randomUUID().toString();

    private final int[] hosts;
    private final int number;
    private final int[] heaps;

    private Hosts(int[] hosts, int number, int[] heaps) {
        this.hosts = hosts;
        this.number = number;
        this.heaps = heaps;
    }

    /**
     * Tells the others where this rank runs; to be called by every rank before the fence after which {@link #of} is.
     *
     * @param onHeap whether it reaches other ranks of its JVM through the heap; those do so, too
     */
    public static void publish(Wireup wireup, boolean onHeap) {
        String heap = onHeap ? SEPARATOR + HEAP : "";
        wireup.put(KEY, (Host.here().encode() + heap).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The hosts of a job whose ranks have all {@linkplain #publish published} theirs. May wait for the wire-up.
     *
     * @throws CommunicationException if a rank has published something else
     */
    public static Hosts of(Wireup wireup) {
        List<Host> found = new ArrayList<>();
        Map<String, Integer> heapsFound = new HashMap<>();
        int[] hosts = new int[wireup.size()];
        int[] heaps = new int[wireup.size()];
        for (int rank = 0; rank < hosts.length; rank++) {
            String published = new String(wireup.get(rank, KEY), StandardCharsets.UTF_8);
            int end = published.indexOf(SEPARATOR);
            hosts[rank] = number(found, host(rank, end < 0 ? published : published.substring(0, end)));
            String heap = end < 0 ? "of rank " + rank : published.substring(end + 1);
            heaps[rank] = heapsFound.computeIfAbsent(heap, _ -> heapsFound.size());
        }
        return new Hosts(hosts, found.size(), heaps);
    }

    private static Host host(int rank, String published) {
        try {
            return Host.decode(published);
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

    /** Number of the heap by which a rank reaches others; one of its own if it reaches none in that way. */
    public int heapOf(int rank) {
        return heaps[rank];
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
