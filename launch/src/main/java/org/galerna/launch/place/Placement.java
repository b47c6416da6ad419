package org.galerna.launch.place;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.galerna.launch.BindTo;
import org.galerna.memory.CpuList;
import org.galerna.memory.Topology;
import org.galerna.memory.Topology.Core;

/**
 * Where the ranks of a job run.
 *
 * @param cores the core of each rank, in the order of the ranks; empty if ranks are not bound
 * @param reason why they are not bound; empty if they are
 */
record Placement(List<Core> cores, Optional<String> reason) {
    /** A placement with the list copied. */
    Placement {
        cores = List.copyOf(cores);
    }

    static Placement unbound(String reason) {
        return new Placement(List.of(), Optional.of(reason));
    }

    /**
     * Chooses: neighbouring ranks get neighbouring cores, and a whole core each.
     *
     * @param bindTo what the user wants
     * @param processors how many processors' time the process gets, at most
     * @param take reserves a core for this job; false if another job has it
     */
    static Placement choose(BindTo bindTo, int ranks, Topology topology, int processors, Predicate<Core> take) {
        List<Core> all = topology.cores();
        if (bindTo == BindTo.NONE) {
            return unbound("--bind-to none");
        }
        if (bindTo == BindTo.AUTO) {
            Optional<String> reason = reasonAgainst(ranks, topology, processors);
            if (reason.isPresent()) {
                return unbound(reason.get());
            }
        }
        List<Core> free = new ArrayList<>();
        for (Core core : all) {
            if (free.size() < ranks && take.test(core)) {
                free.add(core);
            }
        }
        if (bindTo == BindTo.AUTO && free.size() < ranks) {
            return unbound("other jobs hold " + (all.size() - free.size()) + " of " + all.size() + " cores");
        }
        List<Core> places = free.size() < Math.min(ranks, all.size()) ? all : free;
        return new Placement(
                IntStream.range(0, ranks)
                        .mapToObj(rank -> places.get(rank % places.size()))
                        .toList(),
                Optional.empty());
    }

    private static Optional<String> reasonAgainst(int ranks, Topology topology, int processors) {
        int cores = topology.cores().size();
        if (ranks == 1) {
            return Optional.of("a single rank is in nobody's way");
        }
        if (ranks > cores) {
            // without concatenation: for that a launcher would make classes at its start
            return Optional.of(String.join(
                    " ", String.valueOf(ranks), "ranks have", String.valueOf(cores), cores == 1 ? "core" : "cores"));
        }
        if (processors < topology.processors()) {
            return Optional.of("this process gets the time of " + processors + " of " + topology.processors()
                    + " processors, whichever they are");
        }
        return Optional.empty();
    }

    boolean isBound() {
        return !cores.isEmpty();
    }

    /** One line for each rank. */
    List<String> report(int firstRank, int ranks) {
        return IntStream.range(0, ranks)
                .mapToObj(index -> line(firstRank, index))
                .toList();
    }

    private String line(int firstRank, int index) {
        int rank = firstRank + index;
        if (!isBound()) {
            return "rank " + rank + " is not bound: " + reason.orElse("");
        }
        Core core = cores.get(index);
        return "rank " + rank + " is bound to processor" + (core.cpus().size() == 1 ? " " : "s ")
                + CpuList.format(core.mask()) + " (a core of socket " + core.socket() + ", NUMA node " + core.node()
                + ")";
    }
}
