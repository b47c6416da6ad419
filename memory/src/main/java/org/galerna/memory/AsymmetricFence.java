package org.galerna.memory;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A pair of fences that together order a store before a later load on both sides (Dekker's pattern), where one side
 * runs all the time and the other hardly ever. The frequent side calls {@link #light}, the rare side {@link #heavy}:
 * of two threads that each store, fence and then load what the other one stores, at least one sees the other's store.
 *
 * <p>Where the operating system can make every running thread of the process execute a full barrier (Linux
 * {@code membarrier}, private expedited), the heavy side asks for that and the light side costs nothing: it only has
 * to keep the compiler from exchanging the store and the load. HotSpot compiles {@code releaseFence} and
 * {@code acquireFence} to barriers across which neither compiler moves any memory access; on processors that reorder,
 * the interrupt that membarrier sends is the missing instruction. Elsewhere both sides are full fences.
 *
 * <p>Prior art: the asymmetric Dekker synchronization of Dice, Huang and Yang (2001), liburcu's membarrier flavour.
 */
public final class AsymmetricFence {
    private final @Nullable Runnable processBarrier;

    /**
     * A fence.
     *
     * @param processBarrier executes a full barrier on every thread of the process that is running; null if the system
     *     has no such thing
     */
    public AsymmetricFence(@Nullable Runnable processBarrier) {
        this.processBarrier = processBarrier;
    }

    /** The fence of the frequent side, between its store and its load. */
    public void light() {
        if (processBarrier == null) {
            VarHandle.fullFence();
        } else {
            VarHandle.releaseFence();
            VarHandle.acquireFence();
        }
    }

    /** The fence of the rare side, between its store and its load; about a microsecond or two. */
    public void heavy() {
        VarHandle.fullFence();
        if (processBarrier != null) {
            processBarrier.run();
        }
        VarHandle.fullFence();
    }
}
