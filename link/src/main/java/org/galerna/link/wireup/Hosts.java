package org.galerna.link.wireup;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.memory.CpuList;
import org.galerna.memory.Cpus;
import org.galerna.memory.SystemRandom;

/**
 * Which ranks of a job run on the same host, which on the same package of processors, and which of them reach each other through a
 * common heap. All are numbered from 0, in the order of their lowest ranks, so that all ranks number them alike. What counts as one host is said
 * by {@link Host#isBeside}.
 */
public final class Hosts {
    private static final String KEY = "galerna.host";

    /** Between a host, the processors of a rank, its heap, and its package. */
    private static final String SEPARATOR = "\n";

    /** The heap of this JVM. */
    private static final String HEAP = SystemRandom.uuid().toString();

    private static final List<WeakReference<Hosts>> KNOWN = new ArrayList<>(); // guarded by itself

    private final int[] hosts;
    private final List<BitSet> processors; // by host
    private final int[] heaps;
    private final int[] packages;

    private Hosts(int[] hosts, List<BitSet> processors, int[] heaps, int[] packages) {
        this.hosts = hosts;
        this.processors = processors;
        this.heaps = heaps;
        this.packages = packages;
    }

    /**
     * Tells the others where this rank runs; to be called by every rank, on a thread that may run on the processors of the
     * rank, before the fence after which {@link #of} is.
     *
     * @param onHeap whether it reaches other ranks of its JVM through the heap; those do so, too
     */
    public static void publish(Wireup wireup, boolean onHeap) {
        BitSet processors = Cpus.ofCaller();
        String place = String.join(
                SEPARATOR,
                Host.here().encode(),
                CpuList.format(processors),
                onHeap ? HEAP : "",
                Cpus.packageOf(processors).stream()
                        .mapToObj(Integer::toString)
                        .findFirst()
                        .orElse(""));
        wireup.put(KEY, place.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The hosts of a job whose ranks have all {@linkplain #publish published} theirs. May wait for the wire-up.
     *
     * @throws CommunicationException if a rank has published something else
     */
    public static Hosts of(Wireup wireup) {
        return wireup.common(KEY)
                .map(published -> Place.of(wireup.rank(), new String(published, StandardCharsets.UTF_8)))
                .map(place -> ofOnePlace(place, wireup.size()))
                .orElseGet(() -> ofEach(wireup))
                .shared();
    }

    /** All ranks have published the same. */
    private static Hosts ofOnePlace(Place place, int size) {
        int[] heaps = new int[size];
        if (place.heap.isEmpty()) {
            for (int rank = 0; rank < size; rank++) {
                heaps[rank] = rank;
            }
        }
        return new Hosts(new int[size], List.of(place.processors), heaps, new int[size]);
    }

    private static Hosts ofEach(Wireup wireup) {
        List<Host> found = new ArrayList<>();
        List<BitSet> processors = new ArrayList<>();
        Map<String, Integer> heapsFound = new HashMap<>();
        int[] hosts = new int[wireup.size()];
        int[] heaps = new int[wireup.size()];
        String[] packages = new String[wireup.size()];
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
            packages[rank] = place.packageOfProcessors;
        }
        return new Hosts(hosts, processors, heaps, numbers(hosts, packages));
    }

    /** One for all ranks of the process that see the same: each has a number for every rank of the job. */
    private Hosts shared() {
        synchronized (KNOWN) {
            Optional<Hosts> present = KNOWN.stream()
                    .map(WeakReference::get)
                    .filter(Objects::nonNull)
                    .filter(this::isSame)
                    .findFirst();
            if (present.isPresent()) {
                return present.get();
            }
            KNOWN.removeIf(each -> each.refersTo(null));
            KNOWN.add(new WeakReference<>(this));
            return this;
        }
    }

    private boolean isSame(Hosts other) {
        return Arrays.equals(hosts, other.hosts)
                && Arrays.equals(heaps, other.heaps)
                && Arrays.equals(packages, other.packages)
                && processors.equals(other.processors);
    }

    /** Numbers of packages; one for a host of which some rank is bound to none. */
    private static int[] numbers(int[] hosts, String[] packages) {
        BitSet unbound = new BitSet();
        for (int rank = 0; rank < hosts.length; rank++) {
            if (packages[rank].isEmpty()) {
                unbound.set(hosts[rank]);
            }
        }
        Map<String, Integer> found = new HashMap<>();
        int[] numbers = new int[hosts.length];
        for (int rank = 0; rank < hosts.length; rank++) {
            String name = hosts[rank] + SEPARATOR + (unbound.get(hosts[rank]) ? "" : packages[rank]);
            numbers[rank] = found.computeIfAbsent(name, _ -> found.size());
        }
        return numbers;
    }

    /**
     * Where a rank runs.
     *
     * @param heap empty if the rank has one of its own
     * @param packageOfProcessors empty if its processors are of several
     */
    private record Place(Host host, BitSet processors, String heap, String packageOfProcessors) {
        static Place of(int rank, String published) {
            String[] parts = published.split(SEPARATOR, -1);
            try {
                if (parts.length < 2) {
                    throw new IllegalArgumentException("no processors in " + published);
                }
                return new Place(
                        Host.decode(parts[0]),
                        CpuList.parse(parts[1]),
                        parts.length > 2 ? parts[2] : "",
                        parts.length > 3 ? parts[3] : "");
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

    /**
     * Number of the package of processors, also called socket, that a rank is bound to. Where not every rank of a host is bound to
     * one, they all have the same number.
     */
    public int packageOf(int rank) {
        return packages[rank];
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
