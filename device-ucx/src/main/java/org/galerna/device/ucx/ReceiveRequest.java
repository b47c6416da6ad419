package org.galerna.device.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.support.Descriptions;
import org.galerna.link.counters.WaitKind;
import org.galerna.memory.Buffers;
import org.galerna.nativeaccess.memory.RawMemory;

/** A receive, used again once it is released. What is not in the request's face is guarded by the engine's lock. */
final class ReceiveRequest extends UcxRequest {
    private static final Object NONE = new byte[0];

    /** What comes for it if UCX brings the two together. */
    final Arrival arrival;

    private Object buffer = NONE;
    private long offset;
    private long capacity;
    private int wantedSource;

    ReceiveRequest(Engine engine, Arrival arrival) {
        super(engine);
        this.arrival = arrival;
    }

    void start(Object into, long at, long bytes, int source, int withTag, int ofContext) {
        restart();
        buffer = into;
        offset = at;
        capacity = bytes;
        wantedSource = source;
        peer = source;
        tag = withTag;
        context = ofContext;
        length = 0;
    }

    int wantedSource() {
        return wantedSource;
    }

    /** Bytes of a message of that length that the buffer takes. */
    long taken(long sent) {
        return Math.min(sent, capacity);
    }

    /** Where UCX may put so many bytes by itself; 0 if the buffer is none that it can write. */
    long address(long count) {
        return buffer instanceof MemorySegment segment
                        && segment.isNative()
                        && !segment.isReadOnly()
                        && Buffers.isSharedByThreads(segment)
                        && segment.scope().isAlive()
                ? segment.asSlice(offset, count).address()
                : 0;
    }

    void isFrom(int source, int ofTag) {
        peer = source;
        tag = ofTag;
    }

    /** Ends with bytes that have come in a slot. */
    void deliver(Arrival message) {
        long sent = message.length();
        long count = taken(sent);
        Object target = target();
        try {
            message.copyTo(target, target == RawMemory.ALL ? rawOffset() : offset, count);
        } catch (RuntimeException inaccessible) {
            cannotBeWritten(inaccessible);
            return;
        }
        finish(sent, count);
    }

    /** Ends with bytes that have come elsewhere. */
    void deliver(MemorySegment from, long sent, long count) {
        Object target = target();
        try {
            Buffers.copy(from, 0, target, target == RawMemory.ALL ? rawOffset() : offset, count);
        } catch (RuntimeException inaccessible) {
            cannotBeWritten(inaccessible);
            return;
        }
        finish(sent, count);
    }

    /** Memory of one thread alone is written by whichever thread makes progress, as long as it is there. */
    private Object target() {
        return buffer instanceof MemorySegment segment
                        && segment.isNative()
                        && !segment.isReadOnly()
                        && !Buffers.isSharedByThreads(segment)
                        && segment.scope().isAlive()
                ? RawMemory.ALL
                : buffer;
    }

    private long rawOffset() {
        return ((MemorySegment) buffer).address() + offset;
    }

    private void cannotBeWritten(RuntimeException inaccessible) {
        endWith(new DeviceException(
                ErrorClass.BUFFER,
                "rank " + engine.rank() + ": the buffer of a " + operation() + " cannot be written: "
                        + inaccessible.getMessage(),
                inaccessible));
    }

    /** Ends; the bytes are in the buffer. */
    void finish(long sent, long count) {
        length = count;
        if (count < sent) {
            endWith(DeviceException.truncated(engine.rank(), peer, tag, sent, capacity));
        } else {
            buffer = NONE;
            engine.completes();
            complete();
        }
    }

    void endWith(DeviceException failure) {
        buffer = NONE;
        engine.completes();
        fail(failure);
    }

    @Override
    protected boolean isHopeless(boolean alone) {
        return engine.nobodySends(wantedSource, context, alone)
                && engine.inbound().isPosted(this);
    }

    @Override
    public void failIfInVain() {
        failIfHopeless(false);
    }

    @Override
    public void failIfAlone() {
        failIfHopeless(true);
    }

    private void failIfHopeless(boolean alone) {
        if (engine.nobodySends(wantedSource, context, alone) && engine.inbound().withdraw(this)) {
            engine.lock();
            try {
                endWith(engine.senders().unreachable(operation(), wantedSource, context));
            } finally {
                engine.unlock();
            }
        }
    }

    @Override
    public boolean cancel() {
        if (engine.inbound().withdraw(this)) {
            engine.lock();
            try {
                buffer = NONE;
                engine.completes();
                completeCancelled();
            } finally {
                engine.unlock();
            }
        }
        return isCancelled();
    }

    @Override
    public void askToCancel() {
        cancel();
    }

    @Override
    public void release() {
        requireDone();
        markReleased();
        engine.inbound().giveBack(this);
    }

    @Override
    public WaitKind waitKind() {
        return WaitKind.RECEIVE.in(context);
    }

    @Override
    public String operation() {
        return operation(Descriptions.receive("receive", wantedSource, tag));
    }

    @Override
    public int awaitedPeer() {
        return wantedSource;
    }
}
