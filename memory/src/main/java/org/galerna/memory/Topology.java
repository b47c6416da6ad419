package org.galerna.memory;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * The processors that this process may use, grouped into cores, in an order in which neighbours share as much as
 * possible: first by socket, then by NUMA node, L3 cache, L2 cache and number.
 *
 * @param cores the cores with at least one usable processor; never empty
 */
public record Topology(List<Core> cores) {
    /** What is not known of a core. */
    public static final int UNKNOWN = -1;

    /** A topology with the list copied. */
    public Topology {
        cores = List.copyOf(cores);
        if (cores.isEmpty()) {
            throw new IllegalArgumentException("a machine has at least one core");
        }
    }

    /**
     * A core with its usable hardware threads. Cores with equal numbers of a socket, node or cache share it.
     *
     * @param id lowest number of its processors, usable or not: no other core of the machine has it
     * @param cpus numbers of its usable processors, ascending, at least one
     * @param socket the package that it is in
     * @param node its NUMA node
     * @param l3 lowest processor that shares its L3 cache, or {@link Topology#UNKNOWN}
     * @param l2 lowest processor that shares its L2 cache, or {@link Topology#UNKNOWN}
     */
    public record Core(int id, List<Integer> cpus, int socket, int node, int l3, int l2) {
        /** A core with the list copied. */
        public Core {
            cpus = List.copyOf(cpus);
        }

        /** The usable processors as a set of bits, a new one for each call. */
        public BitSet mask() {
            BitSet mask = new BitSet();
            cpus.forEach(mask::set);
            return mask;
        }
    }

    /** This machine, as it was when the class was loaded. */
    public static Topology ofMachine() {
        return Machine.TOPOLOGY;
    }

    /**
     * What Linux tells in {@code sys/devices/system} and {@code proc/self/status} below a folder. Whatever is missing or
     * makes no sense is replaced by the simplest assumption, at worst {@linkplain #uniform equal processors}.
     *
     * @param root the root of a file system, or a folder that stands for one
     */
    public static Topology read(Path root) {
        return new TopologyReader(root).read();
    }

    /** So many processors, each a core of its own, of whose relations nothing is known. */
    public static Topology uniform(int processors) {
        return new Topology(IntStream.range(0, processors)
                .mapToObj(cpu -> new Core(cpu, List.of(cpu), 0, 0, UNKNOWN, UNKNOWN))
                .toList());
    }

    /** All usable processors as a set of bits, a new one for each call. */
    public BitSet mask() {
        BitSet mask = new BitSet();
        cores.forEach(core -> mask.or(core.mask()));
        return mask;
    }

    /** Number of usable processors. */
    public int processors() {
        return cores.stream().mapToInt(core -> core.cpus().size()).sum();
    }

    /** Number of sockets with a usable core. */
    public int sockets() {
        return count(Core::socket);
    }

    /** Number of NUMA nodes with a usable core. */
    public int nodes() {
        return count(Core::node);
    }

    /** Number of L3 caches behind the usable cores; 0 if nothing is known of them. */
    public int l3Caches() {
        return count(Core::l3);
    }

    /** Number of L2 caches behind the usable cores; 0 if nothing is known of them. */
    public int l2Caches() {
        return count(Core::l2);
    }

    private int count(ToIntFunction<Core> what) {
        return (int) cores.stream()
                .mapToInt(what)
                .filter(number -> number != UNKNOWN)
                .distinct()
                .count();
    }

    private static final class Machine {
        private static final Topology TOPOLOGY = read(Path.of("/"));
    }
}
