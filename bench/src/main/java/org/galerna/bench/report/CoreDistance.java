package org.galerna.bench.report;

import java.util.List;
import org.galerna.memory.Topology;

/** How far from each other the cores are that ranks 0 and 1 of every system are kept on, as far as the machine tells. */
public final class CoreDistance {
    private CoreDistance() {}

    /** A sentence for a reader of results. */
    public static String describe() {
        return describe(Topology.ofMachine());
    }

    static String describe(Topology topology) {
        List<Topology.Core> cores = topology.cores();
        if (cores.size() < 2) {
            return "ranks share the one core that there is";
        }
        Topology.Core first = cores.get(0);
        Topology.Core second = cores.get(1);
        String pair = "ranks 0 and 1 are on cores " + first.cpus().getFirst() + " and "
                + second.cpus().getFirst() + ", ";
        if (first.socket() != second.socket()) {
            return pair + "far from each other: in two sockets";
        }
        if (first.l3() == Topology.UNKNOWN || second.l3() == Topology.UNKNOWN) {
            return pair + "and the system does not tell whether they are near: look at the cache line";
        }
        return first.l3() == second.l3()
                ? pair + "near each other: they share an L3 cache"
                : pair + "far from each other: they have different L3 caches";
    }
}
