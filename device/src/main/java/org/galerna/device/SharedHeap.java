package org.galerna.device;

import java.util.function.Supplier;
import org.galerna.memory.AsymmetricFence;

/**
 * The heap that all ranks of a device live on, for those who would rather read each other's memory than send messages.
 * Any thread of the rank may call any method.
 */
public interface SharedHeap {
    /**
     * An object that several ranks share; see {@link org.galerna.link.SharedHeapLink#meet}.
     *
     * @param key the same on all of them; compared by {@code equals}
     * @param parties number of ranks that ask
     * @param maker makes the object
     */
    <T> T meet(Class<T> type, Object key, int parties, Supplier<T> maker);

    /**
     * Starts an operation on shared memory. Makes progress now and then, for ranks that never have to wait.
     *
     * @throws DeviceException if this rank has left the job
     */
    void enter();

    /**
     * Blocks until a condition holds; meanwhile messages make progress.
     *
     * @throws DeviceException with {@link ErrorClass#PROC_FAILED} if a rank that it {@linkplain SharedCondition#needs
     *     needs} has left the job
     */
    void await(SharedCondition condition);

    /** Wakes a rank that sleeps in {@link #await}, after the change is visible. Does not block. */
    void wakeUp(int rank);

    /** The fence whose light side stands between a change and the look whether somebody sleeps; see {@link SharedCondition}. */
    AsymmetricFence sleepFence();
}
