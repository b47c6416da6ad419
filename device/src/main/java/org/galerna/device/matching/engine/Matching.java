package org.galerna.device.matching.engine;

import static org.galerna.device.matching.frame.FrameLayout.CONTROL_VALUE;
import static org.galerna.device.matching.frame.FrameLayout.EAGER_MESSAGE;
import static org.galerna.device.matching.frame.FrameLayout.LONG;
import static org.galerna.device.matching.frame.FrameLayout.RTS_DESCRIPTOR;
import static org.galerna.device.matching.frame.FrameLayout.RTS_LENGTH;
import static org.galerna.device.matching.frame.FrameLayout.SEND_ID;
import static org.galerna.device.matching.frame.FrameLayout.SYNC_MESSAGE;

import java.lang.foreign.MemorySegment;
import org.galerna.device.Conversation;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Status;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.frame.FrameLayout;
import org.galerna.device.matching.queue.PayloadPool;
import org.galerna.device.matching.queue.PostedQueue;
import org.galerna.device.matching.queue.Rendezvous;
import org.galerna.device.matching.queue.UnexpectedMessage;
import org.galerna.device.matching.queue.UnexpectedQueue;
import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.device.matching.request.RequestOwner;
import org.galerna.device.matching.request.RequestPool;
import org.galerna.device.matching.request.Retrieval;
import org.galerna.device.matching.sending.Peer;
import org.galerna.device.matching.sending.Peers;
import org.galerna.device.support.Membership;
import org.galerna.device.support.Senders;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.counters.RankCounters;
import org.galerna.nativeaccess.memory.RawMemory;
import org.jspecify.annotations.Nullable;

/**
 * The matching engine: brings messages and receives together, in the order of the sends of each rank. Every method is
 * called inside the device's match lock unless it says otherwise.
 */
public final class Matching implements FrameHandler {
    private final Link link;
    private final Peers peers;
    private final Membership membership;
    private final Senders senders;
    private final long grantStep;
    private final PostedQueue posted = new PostedQueue();
    private final UnexpectedQueue unexpected = new UnexpectedQueue();
    private final PayloadPool payloads;
    private final PendingSends sends;
    private final RequestPool requests;
    private final Rendezvous rendezvous = new Rendezvous();

    /**
     * An engine.
     *
     * @param owner the device, for its requests
     * @param grantStep bytes of a peer's messages after whose receipt it is told that it has them to spend again
     */
    public Matching(
            Link link,
            RequestOwner owner,
            Peers peers,
            Membership membership,
            Senders senders,
            PendingSends sends,
            long grantStep) {
        this.link = link;
        this.peers = peers;
        this.membership = membership;
        this.senders = senders;
        this.sends = sends;
        this.grantStep = grantStep;
        this.requests = new RequestPool(owner);
        this.payloads = new PayloadPool(membership.counters().counter(RankCounters.UNEXPECTED_ALLOCATIONS));
    }

    Rendezvous rendezvous() {
        return rendezvous;
    }

    /** Starts a receive: gives it the oldest message that is there for it, or lets it wait for one. */
    public ReceiveRequest post(Object buffer, long offset, long length, int source, long wanted) {
        ReceiveRequest request = requests.take();
        request.start(buffer, offset, length, source, wanted);
        post(request);
        return request;
    }

    private void post(ReceiveRequest request) {
        if (!unexpected.isEmpty()) {
            UnexpectedMessage message = unexpected.find(request.wanted, request.wantedSource);
            if (message != null) {
                unexpected.remove(message);
                take(request, message);
                return;
            }
        }
        posted.add(request);
        if (!membership.isComplete() && isOfTheDead(request)) {
            // a message to itself may still lie in the ring; what the peers have sent does not
            link.poll(this, Integer.MAX_VALUE);
            failUnreachable(request);
        }
    }

    private boolean isOfTheDead(ReceiveRequest request) {
        return senders.left(request.wantedSource, Envelope.context(request.wanted)) == Senders.Left.DEAD;
    }

    /** Whether a receive waits for a message. */
    boolean isPosted(ReceiveRequest request) {
        return posted.contains(request);
    }

    /** Fails a receive that no message has matched, because none will. */
    void failUnreachable(ReceiveRequest request) {
        if (posted.remove(request)) {
            request.fail(
                    senders.unreachable(request.operation(), request.wantedSource, Envelope.context(request.wanted)));
        }
    }

    private void take(ReceiveRequest request, UnexpectedMessage message) {
        MemorySegment bytes = message.bytes;
        Retrieval retrieval = message.retrieval;
        if (retrieval != null) {
            rendezvous.await(retrieval, request, message.source);
        } else if (bytes == null) {
            rendezvous.announce(request, message.source, message.envelope, message.length, message.sendId);
            request.region.set(message.region);
        } else {
            request.deliver(message.source, message.envelope, bytes, 0, message.length);
            payloads.give(bytes);
            granted(peers.of(message.source), message.length, 1);
            if (message.kind == FrameLayout.SYNC) {
                peers.of(message.source).sendControl(FrameLayout.DONE, message.sendId);
            }
        }
        unexpected.recycle(message);
    }

    /** The envelope of the oldest message that is there; null if there is none. */
    @Nullable
    Status find(long envelope, int source) {
        UnexpectedMessage message = unexpected.find(envelope, source);
        if (message == null) {
            return null;
        }
        message.probed = true;
        return new Status(message.source, Envelope.tag(message.envelope), message.length);
    }

    /** Fails a receive if a message for a later one has come from its peer; see {@code Reachability.failIfOutOfStep}. */
    void failIfOutOfStep(ReceiveRequest request, Conversation conversation) {
        String wrong = outOfStep(request.wanted, request.wantedSource, conversation);
        if (wrong != null && posted.remove(request)) {
            request.fail(new DeviceException(ErrorClass.OTHER, wrong));
        }
    }

    /** What is wrong if the oldest message from a peer in a context is another one than that; null if it is none. */
    @Nullable
    String outOfStep(long awaited, int source, Conversation conversation) {
        return unexpected.outOfStep(awaited, source, conversation);
    }

    /** Whether a receive of a context waits for its message; slow. */
    public boolean hasReceives(int context) {
        return posted.all().stream().anyMatch(request -> Envelope.context(request.wanted) == context);
    }

    /** Whether nothing waits in a context; slow. */
    public boolean isIdle(int context) {
        return !unexpected.has(context)
                && !hasReceives(context)
                && peers.made().noneMatch(peer -> peer.expects(context));
    }

    /** Takes a receive back that no message has matched; false if it is too late. */
    boolean withdraw(ReceiveRequest request) {
        return posted.remove(request);
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        long header = RawMemory.getLong(memory, offset + FrameLayout.HEADER);
        int kind = FrameLayout.kind(header);
        long envelope = FrameLayout.envelope(header);
        if (kind == FrameLayout.EAGER) {
            onMessage(kind, peer, envelope, memory, offset, EAGER_MESSAGE, length);
        } else {
            onOther(kind, peer, envelope, memory, offset, length);
        }
    }

    private void onOther(int kind, int peer, long envelope, MemorySegment memory, long offset, int length) {
        switch (kind) {
            case FrameLayout.SYNC -> onMessage(kind, peer, envelope, memory, offset, SYNC_MESSAGE, length);
            case FrameLayout.BATCH -> {
                takeBatch(peer, envelope, memory, offset, length);
                peers.of(peer).takenOfBatch = 0;
            }
            case FrameLayout.RTS -> onAnnouncement(peer, envelope, memory, offset, length);
            case FrameLayout.DONE -> sends.done(memory.get(LONG, offset + CONTROL_VALUE));
            case FrameLayout.CANCEL -> onCancel(peer, memory.get(LONG, offset + CONTROL_VALUE));
            case FrameLayout.CANCELLED -> sends.cancelled(memory.get(LONG, offset + CONTROL_VALUE));
            case FrameLayout.KEEP -> onKeep(peer, memory.get(LONG, offset + CONTROL_VALUE));
            case FrameLayout.CREDIT -> peers.of(peer).grant(memory.get(LONG, offset + CONTROL_VALUE));
            default ->
                throw new DeviceException(
                        ErrorClass.INTERN,
                        "rank " + membership.rank() + " received a frame of unknown kind " + kind + " from rank "
                                + peer);
        }
    }

    @Override
    public void onOpenFrame(int peer, MemorySegment memory, long offset, int length) {
        long header = memory.get(LONG, offset + FrameLayout.HEADER);
        if (FrameLayout.kind(header) == FrameLayout.BATCH) {
            takeBatch(peer, FrameLayout.envelope(header), memory, offset, length);
        }
    }

    /** Takes those messages of a batch that have not been taken yet. */
    private void takeBatch(int peer, long envelope, MemorySegment memory, long offset, int frameLength) {
        int length = (int) memory.get(LONG, offset + FrameLayout.BATCH_LENGTH);
        if (length < 1) {
            throw new DeviceException(
                    ErrorClass.INTERN,
                    "rank " + membership.rank() + " received a batch of messages of " + length + " bytes from rank "
                            + peer);
        }
        Peer sender = peers.of(peer);
        int at = FrameLayout.BATCH_MESSAGES + sender.takenOfBatch;
        PostedQueue.Run run = posted.sole(envelope, peer);
        if (run != null) {
            int first = at;
            ReceiveRequest request;
            while (at + length <= frameLength && (request = run.removeFirst()) != null) {
                request.deliver(peer, envelope, memory, offset + at, length);
                at += length;
            }
            int messages = (at - first) / length;
            sender.counters.received(Envelope.context(envelope), messages, at - first);
            granted(sender, at - first, messages);
        }
        for (; at + length <= frameLength; at += length) {
            onMessage(FrameLayout.EAGER, peer, envelope, memory, offset, at, at + length);
        }
        sender.takenOfBatch = at - FrameLayout.BATCH_MESSAGES;
    }

    /**
     * The head of an eager message is its envelope. The receive that takes it is looked for while the sender copies. If
     * there is none yet, it is looked for again when the message is there: one may be posted meanwhile.
     */
    @Override
    public void onHead(int peer, long head, int length) {
        Peer sender = peers.of(peer);
        failExpecting(sender, peer); // of a thread of the peer that died while it copied, if there is one
        sender.headTold = head;
        sender.expecting = posted.match(head, peer);
    }

    @Override
    public void onContents(int peer, MemorySegment memory, long offset, int length) {
        Peer sender = peers.of(peer);
        ReceiveRequest request = sender.expecting;
        if (request == null) {
            onMessage(FrameLayout.EAGER, peer, sender.headTold, memory, offset, 0, length);
            return;
        }
        sender.expecting = null;
        sender.counters.received(Envelope.context(sender.headTold), 1, length);
        request.deliver(peer, sender.headTold, memory, offset, length);
        granted(sender, length, 1);
    }

    /** A receive whose message has begun to come, and never will as a whole. */
    private void failExpecting(Peer sender, int peer) {
        ReceiveRequest request = sender.expecting;
        if (request != null) {
            sender.expecting = null;
            request.fail(membership.lost(request.operation(), peer));
        }
    }

    private void onMessage(
            int kind, int peer, long envelope, MemorySegment memory, long offset, int header, int frameLength) {
        int length = frameLength - header;
        ReceiveRequest request = posted.match(envelope, peer);
        if (request == null) {
            keep(kind, peer, envelope, memory, offset, header, length);
            peers.of(peer).counters.received(Envelope.context(envelope), 1, length);
            return;
        }
        request.deliver(peer, envelope, memory, offset + header, length);
        Peer sender = peers.of(peer);
        sender.counters.received(Envelope.context(envelope), 1, length);
        granted(sender, length, 1);
        if (kind == FrameLayout.SYNC) {
            sender.sendControl(FrameLayout.DONE, memory.get(LONG, offset + SEND_ID));
        }
    }

    private void keep(int kind, int peer, long envelope, MemorySegment memory, long offset, int header, int length) {
        UnexpectedMessage message = unexpected.take();
        message.kind = kind;
        message.source = peer;
        message.envelope = envelope;
        message.length = length;
        message.sendId = kind == FrameLayout.SYNC ? memory.get(LONG, offset + SEND_ID) : 0;
        MemorySegment bytes = payloads.take(length);
        MemorySegment.copy(memory, offset + header, bytes, 0, length);
        message.bytes = bytes;
        addUnexpected(message);
    }

    private void addUnexpected(UnexpectedMessage message) {
        unexpected.add(message);
        peers.of(message.source).counters.unexpected();
        membership.unexpected(message.source, unexpected.size());
    }

    private void onAnnouncement(int peer, long envelope, MemorySegment memory, long offset, int frameLength) {
        long sendId = memory.get(LONG, offset + SEND_ID);
        long length = memory.get(LONG, offset + RTS_LENGTH);
        peers.of(peer).counters.receivedAnnouncement(Envelope.context(envelope), length);
        ReceiveRequest request = posted.match(envelope, peer);
        if (request != null) {
            rendezvous.announce(request, peer, envelope, length, sendId);
            request.region.read(memory, offset + RTS_DESCRIPTOR, frameLength - RTS_DESCRIPTOR);
            return;
        }
        UnexpectedMessage message = unexpected.take();
        message.kind = FrameLayout.RTS;
        message.source = peer;
        message.envelope = envelope;
        message.length = length;
        message.sendId = sendId;
        message.region.read(memory, offset + RTS_DESCRIPTOR, frameLength - RTS_DESCRIPTOR);
        addUnexpected(message);
    }

    @Override
    public void onRegionRead(int peer, long token) {
        sends.done(token);
    }

    /**
     * Lets the sender of a message be done with it. One that nobody here knows of is dropped. One that a probe has found stays,
     * for its receive may follow: its bytes come here now, and then the send is complete. One that a receive has matched is on
     * its way already.
     *
     * <p>Argument that sender and receiver agree: only the receiver decides, inside the match lock, as it does when it matches
     * and probes. Its answer is one of two frames, and the sender does nothing but wait for it.
     *
     * <p>Argument that this is the message: frames of one sender come in order. The message has come before, and no other one of
     * the same number has, since the sender gives a number to another send only after the answer, {@link FrameLayout#DONE} or
     * {@link FrameLayout#CANCELLED}.
     */
    private void onCancel(int peer, long sendId) {
        UnexpectedMessage message = unexpected.ofSend(peer, sendId);
        if (message == null) {
            return;
        }
        if (!message.probed) {
            drop(message);
            peers.of(peer).sendControl(FrameLayout.CANCELLED, sendId);
        } else if (message.kind == FrameLayout.SYNC) {
            message.kind = FrameLayout.EAGER; // its receive need not answer
            peers.of(peer).sendControl(FrameLayout.DONE, sendId);
        } else if (message.retrieval == null) {
            rendezvous.retrieve(message, requests);
        }
    }

    private void onKeep(int peer, long sendId) {
        UnexpectedMessage message = unexpected.ofSend(peer, sendId);
        if (message != null && message.kind == FrameLayout.RTS && message.retrieval == null) {
            rendezvous.retrieve(message, requests);
        }
    }

    private void drop(UnexpectedMessage message) {
        unexpected.remove(message);
        MemorySegment bytes = message.bytes;
        if (bytes != null) {
            payloads.give(bytes);
            granted(peers.of(message.source), message.length, 1);
        }
        unexpected.recycle(message);
    }

    private void granted(Peer sender, long bytes, int messages) {
        sender.toGrant += bytes + messages * (long) FrameLayout.MESSAGE_COST;
        if (sender.toGrant >= grantStep) {
            long grant = sender.toGrant;
            sender.toGrant = 0;
            sender.sendControl(FrameLayout.CREDIT, grant);
        }
    }

    @Override
    public void onReleaseAsked(int peer) {
        peers.of(peer).release();
    }

    /** Those who wait for a peer that has died are told; those who wait for one that has left find out when they wait. */
    @Override
    public void onPeerLost(int peer, String reason) {
        onGone(peer, reason, false);
    }

    @Override
    public void onPeerLeft(int peer) {
        onGone(peer, LEFT, true);
    }

    private void onGone(int peer, String reason, boolean inOrder) {
        membership.remove(peer, reason, inOrder);
        failExpecting(peers.of(peer), peer);
        sends.failTo(peer);
        for (ReceiveRequest request : posted.all()) {
            if (isOfTheDead(request)) {
                failUnreachable(request);
            }
        }
    }
}
