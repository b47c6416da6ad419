package org.galerna.bench.suite;

import java.util.List;
import org.galerna.memory.Cpus;
import org.galerna.memory.Topology;
import org.galerna.nativeaccess.thread.Affinity;

/**
 * Keeps ranks that are threads on cores. All contenders have the same ones: those whose turn it is not sleep.
 */
public final class CoreOfARank {
    private CoreOfARank() {}

    /** Binds the calling thread as the launcher does with a rank: to a core of its own, where there are as many. */
    public static void bind(int rank, int ranks) {
        List<Topology.Core> cores = Topology.ofMachine().cores();
        if (ranks <= Cpus.available() && ranks <= cores.size()) {
            Affinity.instance()
                    .ifPresent(affinity ->
                            affinity.set(Affinity.CALLER, cores.get(rank).mask()));
        }
    }
}
