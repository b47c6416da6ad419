package org.galerna.device.matching.request;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.device.Conversation;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.frame.FrameLayout;
import org.galerna.device.support.PendingRequest;
import org.galerna.link.Collective;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.counters.WaitKind;
import org.galerna.link.events.FlightEvents;
import org.galerna.memory.ArraySegment;
import org.galerna.memory.Buffers;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/** A send that could not be completed at once; used again and again, see {@link SendPool}. */
public final class SendRequest extends PendingRequest implements Outgoing {
    private static final Object NONE = new byte[0];

    private final RequestOwner owner;
    private final SendPool pool;

    public int kind;
    public int peer;
    int tag;
    int context;
    public long length;
    private Object buffer = NONE;
    public long offset;

    /** Place among the device's sends, by which the receiver answers. */
    public long id;

    /** By what the receiver of an announced message answers. */
    public long answer;

    private final ArraySegment segment = new ArraySegment();
    private @Nullable Region region;

    /** What flight recorder measures of an announced message. */
    private @Nullable Object recorded;

    /** A closed one, for the next message. */
    private @Nullable Region formerRegion;

    SendRequest(RequestOwner owner, SendPool pool) {
        super(owner.progress());
        this.owner = owner;
        this.pool = pool;
    }

    public void start(int kind, Object buffer, long offset, long length, int destination, int tag, int context) {
        restart();
        this.kind = kind;
        if (buffer instanceof MemorySegment segment && !Buffers.isSharedByThreads(segment)) {
            // confined to the calling thread, but another one may write the frame or fetch the message
            this.buffer = Arena.ofAuto().allocate(length).copyFrom(segment.asSlice(offset, length));
            this.offset = 0;
        } else {
            this.buffer = buffer;
            this.offset = offset;
        }
        this.length = length;
        this.peer = destination;
        this.tag = tag;
        this.context = context;
    }

    public long envelope() {
        return Envelope.of(tag, context);
    }

    public Object buffer() {
        return buffer;
    }

    /**
     * Makes the bytes reachable for the receiver.
     *
     * @param stalled whether the message is announced for lack of credit
     */
    public void expose(boolean stalled) {
        recorded = stalled ? FlightEvents.creditStallBegins() : FlightEvents.rendezvousBegins();
        Rma rma = owner.rma(peer);
        Region exposed = buffer instanceof StridedArray elements
                ? owner.heap(peer).register(elements)
                : rma.register(segment.over(buffer, offset, length), formerRegion);
        region = exposed;
        formerRegion = null;
        answer = rma.anticipate(peer, exposed, id) ? FrameLayout.withoutAnswer(id) : id;
    }

    /** Where the bytes of an announced message lie; null once the send has ended. */
    @Nullable
    public Region region() {
        return region;
    }

    /** Ends the receiver's access, and completes or fails. */
    public void end(@Nullable DeviceException reason) {
        letGo();
        if (reason == null) {
            complete();
        } else {
            fail(reason);
        }
    }

    /** Ends without a message: the receiver has dropped it, or has left before it took it. */
    public void endCancelled() {
        letGo();
        completeCancelled();
    }

    private void letGo() {
        if (recorded != null) {
            FlightEvents.messageEnds(recorded, owner.rank(), peer, tag, context, length);
            recorded = null;
        }
        if (region != null) {
            region.close();
            formerRegion = region;
            region = null;
        }
        buffer = NONE;
    }

    /** Fails, because the buffer was freed; noticed in whichever thread sends it, it is the send that fails. */
    public void failUnreadable(RuntimeException cause) {
        end(new DeviceException(
                ErrorClass.BUFFER,
                "rank " + owner.rank() + ": the buffer of a " + operation() + " cannot be read: " + cause.getMessage(),
                cause));
    }

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public void askToCancel() {
        owner.askToCancel(this);
    }

    /** Whether the receiver has to fetch the message from the memory of this rank. */
    boolean isAnnounced() {
        return kind == FrameLayout.RTS && !isDone();
    }

    @Override
    public void release() {
        requireDone();
        if (hasSucceeded()) { // one that failed may still be in a backlog
            markReleased();
            pool.give(this);
        }
    }

    @Override
    public WaitKind waitKind() {
        return WaitKind.SEND.in(context);
    }

    @Override
    public String operation() {
        Conversation conversation = owner.conversation(context);
        return conversation == null
                ? "send of " + length + " bytes to rank " + peer + ", tag " + tag
                : conversation.describe(tag);
    }

    @Override
    public @Nullable Collective collective() {
        Conversation conversation = owner.conversation(context);
        return conversation == null ? null : conversation.collective(tag);
    }

    @Override
    public int awaitedPeer() {
        return peer;
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
