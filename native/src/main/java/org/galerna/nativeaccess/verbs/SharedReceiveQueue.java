package org.galerna.nativeaccess.verbs;

import java.lang.foreign.MemorySegment;

/** Receives that many queue pairs take in turn. Safe for use by many threads, one {@link ReceiveRequests} each. */
public final class SharedReceiveQueue implements AutoCloseable {
    private final Adapter adapter;
    private final MemorySegment queue;
    private final long address;
    private final MemorySegment post;
    private boolean closed; // guarded by this

    SharedReceiveQueue(Adapter adapter, MemorySegment queue) {
        this.adapter = adapter;
        this.queue = queue;
        this.address = queue.address();
        this.post = adapter.operation(VerbsLayout.CONTEXT_POST_SRQ_RECV);
    }

    MemorySegment address() {
        return queue;
    }

    /** Posts a receive and those that are chained to it. */
    public void post(ReceiveRequests requests, int first) throws VerbsException {
        int error;
        try {
            error = (int) Operations.POST.invokeExact(post, address, requests.address(first), requests.bad());
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
        if (error != 0) {
            throw new VerbsException(adapter.name() + ": ibv_post_srq_recv", error);
        }
    }

    /** Ends it; the queue pairs that use it must be closed before. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            adapter.library().destroySharedReceiveQueue.ignoringFailure(queue);
        }
    }
}
