package org.galerna.device.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.link.counters.WaitKind;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/** A send that is not over when its call returns. What is not in the request's face is guarded by the engine's lock. */
final class SendRequest extends UcxRequest {
    private final MemorySegment bytes;

    /** The number that the receiver knows it by. */
    int number;

    /** Whether its bytes are here until the receiver asks for them. */
    boolean announced;

    /** Whether its bytes are on their way, so that it ends when UCX is done with them. */
    boolean underWay;

    /** What flight recorder measures of an announced message. */
    @Nullable
    Object recorded;

    private boolean askedToCancel;

    SendRequest(Engine engine, Object buffer, long offset, long length, int destination, int tag, int context) {
        super(engine);
        MemorySegment part = Buffers.segment(buffer, offset, length);
        if (!part.scope().isAlive()) {
            throw new IllegalStateException("the memory of the buffer has been freed");
        }
        // whichever thread makes progress reads it
        this.bytes = Buffers.isSharedByThreads(part)
                ? part
                : MemorySegment.ofArray(part.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
        this.peer = destination;
        this.tag = tag;
        this.context = context;
        this.length = length;
    }

    MemorySegment bytes() {
        return bytes;
    }

    boolean isAskedToCancel() {
        return askedToCancel;
    }

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public void askToCancel() {
        engine.lock();
        try {
            if (!isDone() && !askedToCancel) {
                askedToCancel = true;
                engine.outbound().control(peer, Control.CANCEL, number, context);
            }
        } finally {
            engine.unlock();
        }
    }

    @Override
    public void release() {
        requireDone();
    }

    @Override
    public WaitKind waitKind() {
        return WaitKind.SEND.in(context);
    }

    @Override
    public String operation() {
        return operation("send of " + length + " bytes to rank " + peer + ", tag " + tag);
    }

    @Override
    public int awaitedPeer() {
        return peer;
    }
}
