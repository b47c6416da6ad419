package org.galerna.device.matching;

import java.lang.foreign.MemorySegment;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.support.Descriptions;
import org.galerna.device.support.PendingRequest;
import org.galerna.link.Collective;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.TransferCompletion;
import org.galerna.memory.ArraySegment;
import org.galerna.memory.Buffers;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/** A receive under way. */
final class ReceiveRequest extends PendingRequest implements TransferCompletion {
    private static final Object NONE = new byte[0];

    private final MatchingDevice device;

    // of the message, once it is known
    int peer;
    int tag;
    long length;

    /** The next in the circle of the {@link RequestPool}. */
    ReceiveRequest nextInPool = this;

    // of the PostedQueue
    long sequence;
    int place;

    long wanted; // envelope
    int wantedSource;
    private Object buffer = NONE;
    private long offset;
    private long capacity;

    // of an announced message
    long sendId;
    final Descriptor region = new Descriptor();
    private final ArraySegment segment = new ArraySegment();

    ReceiveRequest(MatchingDevice device) {
        super(device.progress());
        this.device = device;
    }

    void start(Object buffer, long offset, long capacity, int source, long envelope) {
        restart();
        this.buffer = buffer;
        this.offset = offset;
        this.capacity = capacity;
        this.wantedSource = source;
        this.wanted = envelope;
    }

    boolean isWildcard() {
        return wantedSource < 0 || Envelope.hasAnyTag(wanted);
    }

    /** Takes the bytes of a message out of a frame and completes. */
    void deliver(int source, long envelope, MemorySegment memory, long at, long bytes) {
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
                "rank " + device.rank() + ": the buffer of a " + operation() + " cannot be written: "
                        + cause.getMessage(),
                cause));
    }

    /** Fetches an announced message, as much of it as there is room for. */
    void fetch(Peer from) {
        long bytes = Math.min(length, capacity);
        if (buffer instanceof StridedArray elements) {
            from.heap().get(peer, region, elements, bytes, this);
        } else {
            from.rma().get(peer, region, 0, segment.over(buffer, offset, bytes), this);
        }
    }

    /** Ends a message that was announced, when the transfer of its bytes has ended. */
    @Override
    public void completed(@Nullable CommunicationException failure) {
        // the answer first: once the request is complete, its owner may start the next one with it
        if (FrameLayout.wantsAnswer(sendId)) {
            device.peer(peer).sendControl(FrameLayout.DONE, sendId);
        }
        if (failure == null) {
            finish(peer, tag, length);
        } else {
            fail(new DeviceException(ErrorClass.OTHER, operation() + " failed: " + failure.getMessage(), failure));
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
            fail(DeviceException.truncated(device.rank(), source, tag, bytes, capacity));
        }
    }

    @Override
    protected boolean isHopeless(boolean alone) {
        return device.reachability().isHopeless(this, alone);
    }

    @Override
    public void failIfInVain() {
        device.reachability().failIfHopeless(this, false);
    }

    @Override
    public void failIfAlone() {
        device.reachability().failIfOutOfStep(this);
        device.reachability().failIfHopeless(this, true);
    }

    @Override
    public void failIfOutOfStep() {
        device.reachability().failIfOutOfStep(this);
    }

    @Override
    public boolean cancel() {
        return device.cancelling().cancel(this);
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
    public String operation() {
        Conversation conversation = device.conversation(Envelope.context(wanted));
        return conversation == null || isWildcard()
                ? Descriptions.receive("receive", wantedSource, Envelope.tag(wanted))
                : conversation.describe(Envelope.tag(wanted));
    }

    @Override
    public @Nullable Collective collective() {
        Conversation conversation = device.conversation(Envelope.context(wanted));
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
