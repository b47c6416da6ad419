package org.galerna.microbench;

import java.util.BitSet;
import org.galerna.nativeaccess.thread.Affinity;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Keeps each thread of a benchmark on a core of its own, as the launcher does with ranks: two threads that the system
 * puts on one core for some milliseconds would be measured instead of what they tell each other.
 */
@State(Scope.Thread)
public class OwnCore {
    /** The processors of this process, taken before any thread of it is bound. */
    private static final BitSet ALL =
            Affinity.instance().map(affinity -> affinity.get(Affinity.CALLER)).orElseGet(BitSet::new);

    /** Binds the calling thread; each iteration again, because JMH may move a benchmark to another thread. */
    @Setup(Level.Iteration)
    public void bind(ThreadParams thread) {
        bind(thread.getThreadIndex());
    }

    /**
     * Keeps the calling thread on one processor; no effect where threads cannot be bound.
     *
     * @param index which of the processors of this process, from 0; counted round if there are fewer
     */
    public static void bind(int index) {
        if (ALL.isEmpty()) {
            return;
        }
        int[] cpus = ALL.stream().toArray();
        BitSet one = new BitSet();
        one.set(cpus[index % cpus.length]);
        Affinity.instance().ifPresent(affinity -> affinity.set(Affinity.CALLER, one));
    }
}
