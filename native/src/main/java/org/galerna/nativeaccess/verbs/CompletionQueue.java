package org.galerna.nativeaccess.verbs;

import java.lang.foreign.MemorySegment;

/** Where work requests complete. {@link #poll} is one thread's at a time; the rest is anybody's. */
public final class CompletionQueue implements AutoCloseable {
    private final Adapter adapter;
    private final MemorySegment queue;
    private final long address;
    private final MemorySegment poll;
    private final MemorySegment requestNotification;
    private boolean closed; // guarded by this

    CompletionQueue(Adapter adapter, MemorySegment queue) {
        this.adapter = adapter;
        this.queue = queue;
        this.address = queue.address();
        this.poll = adapter.operation(VerbsLayout.CONTEXT_POLL_CQ);
        this.requestNotification = adapter.operation(VerbsLayout.CONTEXT_REQ_NOTIFY_CQ);
    }

    MemorySegment address() {
        return queue;
    }

    /**
     * Takes completions, as many as there are and {@code completions} has room for. Does not block.
     *
     * @return their number; negative if the queue is broken
     */
    public int poll(WorkCompletions completions) {
        try {
            return (int) Operations.POLL_CQ.invokeExact(poll, address, completions.capacity(), completions.address());
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Has the next completion announced on the channel. One that is there already is not: poll once more afterwards.
     */
    public void requestNotification() throws VerbsException {
        int error;
        try {
            error = (int) Operations.REQ_NOTIFY_CQ.invokeExact(requestNotification, address, 0);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
        if (error != 0) {
            throw new VerbsException(adapter.name() + ": ibv_req_notify_cq", error);
        }
    }

    /** Ends it; the queue pairs that use it must be closed before. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            adapter.library().destroyCompletionQueue.ignoringFailure(queue);
        }
    }
}
