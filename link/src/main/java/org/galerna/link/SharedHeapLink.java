package org.galerna.link;

import java.util.function.Supplier;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.StridedArray;

/** A link whose ranks are threads of one JVM, so that objects themselves can be handed over. */
public interface SharedHeapLink extends Link {
    /** As {@link Rma#register}, for elements with gaps. */
    Region register(StridedArray elements);

    /** As {@link Rma#get}, into the first {@code length} bytes of elements with gaps. */
    void get(int peer, Descriptor region, StridedArray local, long length, TransferCompletion completion);

    /**
     * Ends the sleep of a peer at its {@link #waiter}, after a change on the heap that no frame announces. Does not block; no
     * effect on a peer that is gone.
     */
    void wakeUp(int peer);

    /**
     * The fence between changes on the heap and ranks that go to sleep. A rank passes the light side after it has made a change;
     * {@link LinkWaiter#prepare} passes the heavy side. All ranks of the heap have the same fence.
     */
    AsymmetricFence sleepFence();

    /**
     * An object that several ranks share. The first rank to
     * ask has it made, the others get the same one. The n-th call of a rank with a key meets the n-th calls of the
     * others. The link lets go of the object when all have got it, so that it lives as long as one of them holds it.
     *
     * @param key the same on all of them; compared by {@code equals}
     * @param parties number of ranks that ask
     * @param maker makes the object; must not use the link
     */
    <T> T meet(Class<T> type, Object key, int parties, Supplier<T> maker);
}
