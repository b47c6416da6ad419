package org.galerna.messaging.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;

/** Batches that are not in use. Any thread. */
public final class BatchPool {
    private static final int MOST_KEPT = 256;

    private final Deque<Batch> free = new ArrayDeque<>(MOST_KEPT + 1); // guarded by this

    /** No batch was made yet. */
    public BatchPool() {}

    /** A batch that is empty. */
    public synchronized Batch take() {
        Batch batch = free.pollLast();
        return batch != null ? batch : new Batch(this, Batch.BYTES);
    }

    /** Takes a batch back that is not in use any more. */
    synchronized void giveBack(Batch batch) {
        batch.clear();
        if (batch.memory.length == Batch.BYTES && free.size() < MOST_KEPT) {
            free.addLast(batch);
        }
    }
}
