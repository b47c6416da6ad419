package org.galerna.device.matching.request;

import java.lang.foreign.MemorySegment;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.frame.FrameLayout;
import org.galerna.device.support.Descriptions;
import org.galerna.device.support.PendingRequest;
import org.galerna.link.Collective;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.TransferCompletion;
import org.galerna.link.counters.WaitKind;
import org.galerna.memory.ArraySegment;
import org.galerna.memory.Buffers;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/** A receive under way. */
public final class ReceiveRequest extends PendingRequest implements TransferCompletion {
    private static final Object NONE = new byte[0];

    private final RequestOwner owner;

    // of the message, once it is known
    public int peer;
    public int tag;
    public long length;

    /** The next in the circle of the {@link RequestPool}. */
    ReceiveRequest nextInPool = this;

    // of the PostedQueue
    public long sequence;
    public int place;

    public long wanted; // envelope
    public int wantedSource;
    private Object buffer = NONE;
    private long offset;
    private long capacity;

    // of an announced message
    public long sendId;
    public final Descriptor region = new Descriptor();
    private final ArraySegment segment = new ArraySegment();

    public ReceiveRequest(RequestOwner owner) {
        super(owner.progress());
        this.owner = owner;
    }

    public void start(Object buffer, long offset, long capacity, int source, long envelope) {
        restart();
        this.buffer = buffer;
        this.offset = offset;
        this.capacity = capacity;
        this.wantedSource = source;
        this.wanted = envelope;
    }

    public boolean isWildcard() {
        return wantedSource < 0 || Envelope.hasAnyTag(wanted);
    }

    /** Takes the bytes of a message out of a frame and completes. */
    public void deliver(int source, long envelope, MemorySegment memory, long at, long bytes) {
        try {
            Buffers.read(memory, at, buffer, offset, Math.min(bytes, capacity));
        } catch (RuntimeException inaccessible) {
            failUnwritable(inaccessible);
            return;
        }
        finish(source, Envelope.tag(envelope), bytes);
    }

    // thrown in whichever thread polls, it is the receive that fails
    private void failUnwritable(RuntimeException cause) {
        fail(new DeviceException(
                ErrorClass.BUFFER,
                "rank " + owner.rank() + ": the buffer of a " + operation() + " cannot be written: "
                        + cause.getMessage(),
                cause));
    }

    /** Fetches an announced message, as much of it as there is room for. */
    public void fetch() {
        long bytes = Math.min(length, capacity);
        if (buffer instanceof StridedArray elements) {
            owner.heap(peer).get(peer, region, elements, bytes, this);
        } else {
            owner.rma(peer).get(peer, region, 0, segment.over(buffer, offset, bytes), this);
        }
    }

    /** Ends a message that was announced, when the transfer of its bytes has ended. */
    @Override
    public void completed(@Nullable CommunicationException failure) {
        // the answer first: once the request is complete, its owner may start the next one with it
        if (FrameLayout.wantsAnswer(sendId)) {
            owner.sendDone(peer, sendId);
        }
        if (failure == null) {
            finish(peer, tag, length);
        } else {
            fail(owner.failed(operation(), peer, failure));
        }
    }

    /** Completes, the bytes that fit being in place. */
    void finish(int source, int tag, long bytes) {
        this.peer = source;
        this.tag = tag;
        this.buffer = NONE; // whoever gives a request up without releasing it need not keep the array
        if (bytes <= capacity) {
            this.length = bytes;
            complete();
        } else {
            this.length = capacity;
            fail(DeviceException.truncated(owner.rank(), source, tag, bytes, capacity));
        }
    }

    @Override
    protected boolean isHopeless(boolean alone) {
        return owner.isHopeless(this, alone);
    }

    @Override
    public void failIfInVain() {
        owner.failIfHopeless(this, false);
    }

    @Override
    public void failIfAlone() {
        owner.failIfOutOfStep(this);
        owner.failIfHopeless(this, true);
    }

    @Override
    public void failIfOutOfStep() {
        owner.failIfOutOfStep(this);
    }

    @Override
    public boolean cancel() {
        return owner.cancel(this);
    }

    @Override
    public void askToCancel() {
        cancel();
    }

    @Override
    protected int movedBy() {
        return wantedSource == Device.ANY_SOURCE ? peer : wantedSource;
    }

    @Override
    public void release() {
        requireDone();
        markReleased();
    }

    @Override
    public WaitKind waitKind() {
        return WaitKind.RECEIVE.in(Envelope.context(wanted));
    }

    @Override
    public String operation() {
        Conversation conversation = owner.conversation(Envelope.context(wanted));
        return conversation == null || isWildcard()
                ? Descriptions.receive("receive", wantedSource, Envelope.tag(wanted))
                : conversation.describe(Envelope.tag(wanted));
    }

    @Override
    public @Nullable Collective collective() {
        Conversation conversation = owner.conversation(Envelope.context(wanted));
        return conversation == null ? null : conversation.collective(Envelope.tag(wanted));
    }

    @Override
    public int awaitedPeer() {
        return wantedSource;
    }

    @Override
    public int source() {
        return peer;
    }

    @Override
    public int tag() {
        return tag;
    }

    @Override
    public long length() {
        return length;
    }
}
