package org.galerna.link.wireup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.memory.CpuList;
import org.galerna.memory.Cpus;
import org.galerna.memory.SystemRandom;

/**
 * Which ranks of a job run on the same host, and which of them reach each other through a common heap. Hosts and heaps are
 * numbered from 0, in the order of their lowest ranks, so that all ranks number them alike. What counts as one host is said
 * by {@link Host#isBeside}.
 */
public final class Hosts {
    private static final String KEY = "galerna.host";

    /** Between a host, the processors of a rank, and its heap. */
    private static final String SEPARATOR = "\n";

    /** The heap of this JVM. */
    private static final String HEAP = SystemRandom.uuid().toString();

    private final int[] hosts;
    private final List<BitSet> processors; // by host
    private final int[] heaps;

    private Hosts(int[] hosts, List<BitSet> processors, int[] heaps) {
        this.hosts = hosts;
        this.processors = processors;
        this.heaps = heaps;
    }

    /**
     * Tells the others where this rank runs; to be called by every rank, on a thread that may run on the processors of the
     * rank, before the fence after which {@link #of} is.
     *
     * @param onHeap whether it reaches other ranks of its JVM through the heap; those do so, too
     */
    public static void publish(Wireup wireup, boolean onHeap) {
        String place = Host.here().encode() + SEPARATOR + CpuList.format(Cpus.ofCaller());
        wireup.put(KEY, (onHeap ? place + SEPARATOR + HEAP : place).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The hosts of a job whose ranks have all {@linkplain #publish published} theirs. May wait for the wire-up.
     *
     * @throws CommunicationException if a rank has published something else
     */
    public static Hosts of(Wireup wireup) {
        List<Host> found = new ArrayList<>();
        List<BitSet> processors = new ArrayList<>();
        Map<String, Integer> heapsFound = new HashMap<>();
        int[] hosts = new int[wireup.size()];
        int[] heaps = new int[wireup.size()];
        Map<String, Place> places = new HashMap<>(); // most ranks of a host publish the same
        for (int rank = 0; rank < hosts.length; rank++) {
            int publisher = rank;
            Place place = places.computeIfAbsent(
                    new String(wireup.get(rank, KEY), StandardCharsets.UTF_8),
                    published -> Place.of(publisher, published));
            hosts[rank] = number(found, place.host);
            if (hosts[rank] == processors.size()) {
                processors.add(new BitSet());
            }
            processors.get(hosts[rank]).or(place.processors);
            String heap = place.heap.isEmpty() ? "of rank " + rank : place.heap;
            heaps[rank] = heapsFound.computeIfAbsent(heap, _ -> heapsFound.size());
        }
        return new Hosts(hosts, processors, heaps);
    }

    /**
     * Where a rank runs.
     *
     * @param heap empty if the rank has one of its own
     */
    private record Place(Host host, BitSet processors, String heap) {
        static Place of(int rank, String published) {
            String[] parts = published.split(SEPARATOR, -1);
            try {
                if (parts.length < 2) {
                    throw new IllegalArgumentException("no processors in " + published);
                }
                return new Place(Host.decode(parts[0]), CpuList.parse(parts[1]), parts.length > 2 ? parts[2] : "");
            } catch (IllegalArgumentException malformed) {
                throw new CommunicationException(
                        "rank " + rank + " has published where it runs in another way than this version of Galerna: "
                                + malformed.getMessage(),
                        malformed);
            }
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
        return processors.size();
    }

    /** Number of processors of the host of a rank that its ranks may run on altogether, wherever each of them is bound. */
    public int processorsBeside(int rank) {
        return processors.get(hosts[rank]).cardinality();
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
