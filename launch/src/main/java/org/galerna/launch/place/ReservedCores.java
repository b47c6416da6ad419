package org.galerna.launch.place;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.BindTo;
import org.galerna.launch.program.ProgramException;
import org.galerna.memory.Cpus;
import org.galerna.memory.Topology;
import org.galerna.memory.Topology.Core;
import org.galerna.nativeaccess.thread.Affinity;

/** The cores that the ranks of a job have on this host. Other jobs of the user keep away from them until {@link #close}. */
public final class ReservedCores implements AutoCloseable {
    private final int ranks;
    private final Placement placement;
    private final CoreLocks locks;

    private ReservedCores(int ranks, Placement placement, CoreLocks locks) {
        this.ranks = ranks;
        this.placement = placement;
        this.locks = locks;
    }

    /**
     * Chooses where ranks run.
     *
     * @throws ProgramException if ranks cannot be bound although they have to be
     */
    public static ReservedCores reserve(BindTo bindTo, int ranks) {
        Optional<String> impossible = bindTo == BindTo.NONE ? Optional.of("--bind-to none") : Affinity.unavailable();
        if (impossible.isPresent() && bindTo == BindTo.CORE) {
            throw new ProgramException("ranks cannot be bound to cores: " + impossible.get());
        }
        CoreLocks locks = new CoreLocks();
        Placement placement = impossible
                .map(Placement::unbound)
                .orElseGet(() -> Placement.choose(bindTo, ranks, Topology.ofMachine(), Cpus.available(), locks::take));
        if (!placement.isBound()) {
            locks.close();
        }
        return new ReservedCores(ranks, placement, locks);
    }

    /** The processors of the core of each rank, in the order of the ranks; empty if ranks are not bound. */
    public List<BitSet> masks() {
        return placement.cores().stream().map(Core::mask).toList();
    }

    /** The processors that threads may run on that are not bound; empty if ranks are not bound either. */
    public BitSet everywhere() {
        return placement.isBound() ? Topology.ofMachine().mask() : new BitSet();
    }

    /**
     * Where each rank runs, or why it is not bound; a line each.
     *
     * @param firstRank the first of the ranks
     */
    public List<String> report(int firstRank) {
        return placement.report(firstRank, ranks);
    }

    @Override
    public void close() {
        locks.close();
    }
}
