package org.galerna.launch.place;

import java.io.File;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.galerna.memory.Cpus;
import org.galerna.nativeaccess.thread.Affinity;

/**
 * Keeps the main threads of the ranks of one job on their cores, and no other thread. Linux lets a new thread inherit the
 * binding of the one that starts it, which would crowd a rank's worker threads, and those of pools that all ranks share,
 * on the core of one rank. So a main thread is set free while it starts threads of its own, and each look frees those
 * that the JDK has started on its behalf.
 */
public final class Bindings {
    private static final File THREADS = new File("/proc/self/task");

    private final BitSet everywhere;
    /** One for each rank; none if ranks are not bound. */
    private final List<BoundThread> threads;
    /** Bindings that a thread may have inherited. */
    private final Set<BitSet> masks = new HashSet<>();
    /** Threads that need no further look; used by the watching thread alone. */
    private Set<Integer> known = Set.of();

    /**
     * Bindings of ranks whose main threads are not bound yet.
     *
     * @param cores the processors that each rank may run on; empty if ranks are not bound
     * @param everywhere the processors that other threads may run on
     */
    @SuppressWarnings("ReturnValueIgnored")
    public Bindings(List<BitSet> cores, BitSet everywhere) {
        Cpus.available(); // before a thread is bound, which would see one
        this.everywhere = everywhere;
        this.threads = cores.stream()
                .map(core -> new BoundThread(affinity(), core, everywhere))
                .toList();
        cores.stream().filter(mask -> !mask.equals(everywhere)).forEach(masks::add);
    }

    private static Affinity affinity() {
        return Affinity.instance().orElseThrow();
    }

    /** Binds the calling thread, the main thread of a rank. */
    public void bind(int rank) {
        if (!threads.isEmpty()) {
            threads.get(rank).bind();
        }
    }

    /** Called by the main thread of a rank before it starts a thread or a process, which must not inherit the binding. */
    public void loosen(int rank) {
        if (!threads.isEmpty()) {
            threads.get(rank).loosen();
        }
    }

    /** Called when a rank ends. */
    public void leave(int rank) {
        if (!threads.isEmpty()) {
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
}
