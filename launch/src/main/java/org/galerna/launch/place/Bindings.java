package org.galerna.launch.place;

import java.io.File;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.galerna.launch.BindTo;
import org.galerna.launch.program.ProgramException;
import org.galerna.memory.Cpus;
import org.galerna.memory.Topology;
import org.galerna.memory.Topology.Core;
import org.galerna.nativeaccess.Affinity;

/**
 * Keeps the main threads of the ranks of one job on their cores, and no other thread. Linux lets a new thread inherit the
 * binding of the one that starts it, which would crowd a rank's worker threads, and those of pools that all ranks share,
 * on the core of one rank. So a main thread is set free while it starts threads of its own, and each look frees those
 * that the JDK has started on its behalf.
 */
public final class Bindings implements AutoCloseable {
    private static final File THREADS = new File("/proc/self/task");

    private final int ranks;
    private final Placement placement;
    private final CoreLocks locks;
    private final BitSet everywhere;
    /** One for each rank; none if ranks are not bound. */
    private final List<BoundThread> threads;
    /** Bindings that a thread may have inherited. */
    private final Set<BitSet> masks = new HashSet<>();
    /** Threads that need no further look; used by the watching thread alone. */
    private Set<Integer> known = Set.of();

    private Bindings(int ranks, Placement placement, CoreLocks locks, BitSet everywhere) {
        this.ranks = ranks;
        this.placement = placement;
        this.locks = locks;
        this.everywhere = everywhere;
        this.threads = placement.cores().stream()
                .map(core -> new BoundThread(affinity(), core.mask(), everywhere))
                .toList();
        placement.cores().stream()
                .map(Core::mask)
                .filter(mask -> !mask.equals(everywhere))
                .forEach(masks::add);
    }

    /**
     * Chooses where ranks run, and keeps other jobs away from there until {@link #close}.
     *
     * @throws ProgramException if ranks cannot be bound although they have to be
     */
    public static Bindings create(BindTo bindTo, int ranks) {
        Optional<String> impossible = Affinity.unavailable();
        if (impossible.isPresent() && bindTo == BindTo.CORE) {
            throw new ProgramException("ranks cannot be bound to cores: " + impossible.get());
        }
        Topology topology = Topology.ofMachine();
        CoreLocks locks = new CoreLocks();
        Placement placement = impossible
                .map(Placement::unbound)
                .orElseGet(() -> Placement.choose(bindTo, ranks, topology, Cpus.available(), locks::take));
        if (!placement.isBound()) {
            locks.close();
        }
        return new Bindings(ranks, placement, locks, topology.mask());
    }

    private static Affinity affinity() {
        return Affinity.instance().orElseThrow();
    }

    /** Where each rank runs, or why it is not bound; a line each. */
    public List<String> report() {
        return placement.report(ranks);
    }

    /** Binds the calling thread, the main thread of a rank. */
    public void bind(int rank) {
        if (placement.isBound()) {
            threads.get(rank).bind();
        }
    }

    /** Called by the main thread of a rank before it starts a thread or a process, which must not inherit the binding. */
    public void loosen(int rank) {
        if (placement.isBound()) {
            threads.get(rank).loosen();
        }
    }

    /** Called when a rank ends. */
    public void leave(int rank) {
        if (placement.isBound()) {
            threads.get(rank).leave();
        }
    }

    /** Called a few times a second by the thread that watches over the job, always the same one. */
    public void look() {
        if (!masks.isEmpty()) {
            threads.forEach(BoundThread::tighten);
            freeHeirs();
        }
    }

    private void freeHeirs() {
        String[] names = THREADS.list();
        if (names == null) {
            return;
        }
        Set<Integer> present = new HashSet<>();
        for (String name : names) {
            int number = Integer.parseInt(name);
            present.add(number);
            if (!known.contains(number) && threads.stream().noneMatch(thread -> thread.is(number))) {
                if (masks.contains(affinity().get(number))) {
                    affinity().set(number, everywhere);
                }
            }
        }
        known = present;
    }

    /** Gives the cores back. */
    @Override
    public void close() {
        locks.close();
    }
}
