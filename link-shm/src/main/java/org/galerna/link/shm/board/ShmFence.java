package org.galerna.link.shm.board;

import org.galerna.link.Wireup;
import org.galerna.link.process.SleepFence;
import org.galerna.memory.AsymmetricFence;
import org.galerna.nativeaccess.memory.Membarrier;

/**
 * The {@link AsymmetricFence} between processes. Where the system can make other processes execute barriers, the heavy
 * side does that to all that have registered for it, which is what asking for {@link #INSTANCE} does; the light side
 * may be light only if the own process has registered and the sleeper's process uses the barrier.
 */
public final class ShmFence {
    private static final boolean BARRIERS = Membarrier.betweenProcesses().isPresent();

    /** The fence of this process. */
    public static final AsymmetricFence INSTANCE = new AsymmetricFence(
            Membarrier.betweenProcesses().<Runnable>map(barrier -> barrier::run).orElse(null));

    /** The fence towards processes that execute full ones. */
    public static final AsymmetricFence FULL = new AsymmetricFence(null);

    private ShmFence() {}

    /**
     * Whether a rank of a job goes to sleep with the barriers that the system executes for it; otherwise with a full fence, because
     * the system has none, or the ranks {@linkplain SleepFence crowd the processors}. {@link ControlPage#enter} tells its peers.
     */
    public static boolean usesBarriers(Wireup wireup) {
        return BARRIERS && !SleepFence.isFull(wireup);
    }

    /** The fence with which a rank of a job goes to sleep. */
    public static AsymmetricFence ofSleeper(Wireup wireup) {
        return usesBarriers(wireup) ? INSTANCE : FULL;
    }
}
