package org.galerna.messaging.connection;

import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.link.Channel;
import org.galerna.link.Link;
import org.galerna.link.hybrid.WakeupBridge;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.counters.PeerCounters;
import org.galerna.messaging.dispatch.Dispatcher;
import org.galerna.messaging.dispatch.LateRequests;
import org.galerna.messaging.flow.Advance;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.flow.SendResult;
import org.galerna.messaging.handshake.Introduction;
import org.galerna.messaging.outbound.Outbound;
import org.galerna.messaging.outbound.SendScratch;
import org.galerna.messaging.support.ThrownText;
import org.galerna.messaging.wire.Failures;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.MessageContents;
import org.galerna.messaging.wire.RefusedCall;
import org.galerna.messaging.wire.WireType;

/** A link to one start of another node, or to this one. */
public final class Connection implements Inbound.Owner {
    private static final int LONGEST_FRAME = 32 * 1024;

    /** The part of the window after which the receiver confirms. */
    private static final int WINDOW_SHARE = 8;

    /** How long a connection is left alone that the other side wants to keep. */
    private static final long REFUSED_MILLIS = 20;

    private static final String DISMISSED = "it was used least recently, and was dismissed";

    private final ConnectionContext context;
    private final int peer;
    private final long incarnation;
    private final Link link;
    private final Credit credit;
    private final Outbound outbound;
    private final Inbound inbound;
    private final WakeupBridge sentinel;
    private final Dispatcher.Lane lane;
    private final Advance advance = new Advance();
    private final LateRequests late;
    private final Compatibility compatibility;
    private final AtomicBoolean lost = new AtomicBoolean();

    // guarded by the account
    private final Object account = new Object();
    private int processedMessages;
    private int processedBytes;
    private int confirmedBytes;
    private long handledMessages;
    private long handledBytes;
    private volatile boolean unconfirmed;

    private volatile long lastUsed;
    private final Farewell farewell;
    private volatile long mayLeave; // by the coarse clock

    /**
     * A connection over which nothing was sent or received.
     *
     * @param incarnation which start of the other node it leads to
     * @param rankOfPeer of the other node in the link
     */
    public Connection(ConnectionContext context, int peer, long incarnation, Link link, int rankOfPeer) {
        this(context, peer, incarnation, link, rankOfPeer, Introduction.Peer.UNLIMITED);
    }

    /**
     * A connection over which nothing was sent or received.
     *
     * @param incarnation which start of the other node it leads to
     * @param rankOfPeer of the other node in the link
     * @param said what the other node has said of itself
     */
    public Connection(
            ConnectionContext context, int peer, long incarnation, Link link, int rankOfPeer, Introduction.Peer said) {
        this.context = context;
        this.peer = peer;
        this.incarnation = incarnation;
        this.link = link;
        this.lane = context.receive().dispatcher().lane(peer);
        int window = Math.min(context.window(), said.window());
        this.credit = new Credit(window);
        this.late = new LateRequests(context.lateAnswers());
        this.compatibility = new Compatibility(peer, said, this::refused);
        int longest =
                Math.min(Math.min(link.traits().maximumFrame(), LONGEST_FRAME), window / WINDOW_SHARE - Long.BYTES);
        Channel channel = link.connect(rankOfPeer);
        this.outbound = new Outbound(
                context.send(),
                channel,
                credit,
                link.traits().writesOnFlush(),
                longest & -Long.BYTES,
                said.maximumMessage());
        this.inbound = new Inbound(this, context.receive(), link, credit, context.window());
        this.sentinel = new WakeupBridge(
                context.threadName() + "sentinel-" + peer, link, context.send().handlers()::ring);
        this.farewell = new Farewell(new Side());
        this.lastUsed = context.clock().now();
    }

    @Override
    public int peer() {
        return peer;
    }

    public long incarnation() {
        return incarnation;
    }

    public Link link() {
        return link;
    }

    public Credit credit() {
        return credit;
    }

    public Outbound outbound() {
        return outbound;
    }

    public WakeupBridge sentinel() {
        return sentinel;
    }

    @Override
    public Dispatcher.Lane lane() {
        return lane;
    }

    @Override
    public Advance advance() {
        return advance;
    }

    @Override
    public boolean isLost() {
        return lost.get();
    }

    public long lastUsed() {
        return lastUsed;
    }

    private void use() {
        long now = context.clock().now();
        if (now != lastUsed) { // a coarse clock, so that many senders hardly ever write
            lastUsed = now;
        }
    }

    @Override
    public LateRequests late() {
        return late;
    }

    /** Bytes of the other node that were handled so far. */
    @Override
    public long handledBytes() {
        synchronized (account) {
            return handledBytes;
        }
    }

    /**
     * Sends; see {@link Outbound#send}.
     *
     * @throws MessagingException if the message is laid out otherwise at the other node
     */
    public <T> int send(
            SendScratch scratch, WireType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        compatibility.check(type, message);
        use();
        return outbound.send(scratch, type, kind, id, message, deadline, mayWait);
    }

    /** A call would be read wrongly at the other node: it is told, if that is possible without waiting, so that both log it. */
    private void refused(MessageContents.Call call, String difference) {
        context.events().differs(difference);
        try {
            RefusedCall refusal = new RefusedCall(call.key(), call.layout());
            int ignored = outbound.send(
                    SendScratch.ofThread(),
                    RefusedCall.TYPE,
                    Frames.MESSAGE,
                    0,
                    refusal,
                    Outbound.USUAL_DEADLINE,
                    false);
        } catch (IllegalArgumentException tooLong) {
            // then this log alone has it
        }
    }

    @Override
    public void respond(long request, Object response) {
        SendScratch scratch = SendScratch.ofThread();
        WireType<Object> type = scratch.typeOf(context.send(), response);
        String difference = compatibility.difference(type);
        if (difference != null) {
            throw new IllegalArgumentException(difference); // and the requester is told
        }
        respond(scratch, type, Frames.RESPONSE, request, response);
    }

    /** Says what went wrong. What is too long for a frame is cut, so that it can always be sent. */
    @Override
    public void respondFailure(long request, MessagingException.Reason kind, String text) {
        String cut = ThrownText.cut(String.valueOf(text), ThrownText.MOST_CHARACTERS);
        respond(SendScratch.ofThread(), Failures.type(kind), Frames.FAILURE, request, outbound.cutToFrame(cut));
    }

    private <T> void respond(SendScratch scratch, WireType<T> type, int kind, long request, T response) {
        long deadline = context.send().usualDeadline();
        if (isLost() || send(scratch, type, kind, request, response, deadline, true) != SendResult.SENT) {
            throw new MessagingException(
                    MessagingException.Reason.UNREACHABLE,
                    "node " + peer + " has asked, and is gone before it could be answered");
        }
    }

    // ---- receiving

    /** By the polling thread. Returns the number of frames. */
    public int poll(int limit) {
        int frames = inbound.poll(limit);
        if (frames > 0) {
            use();
        }
        if (farewell.isDue() && farewell.answer()) {
            link.stop(); // the other one still has to find the goodbye
            lose(DISMISSED);
        }
        outbound.tidy();
        return frames;
    }

    /** Of the last poll: frames that only confirm what was sent. */
    public int confirmations() {
        return inbound.confirmations();
    }

    /** Says that some of what has come was processed. */
    @Override
    public void processed(int messages, int bytes) {
        if (messages == 0 && bytes == 0) {
            return;
        }
        synchronized (account) {
            processedMessages += messages;
            processedBytes += bytes;
            handledMessages += messages;
            handledBytes += bytes;
            unconfirmed = true;
            if (processedBytes - confirmedBytes >= context.window() / WINDOW_SHARE) {
                confirmProcessed();
            }
        }
    }

    /** What went over it so far. */
    public PeerCounters.Traffic traffic() {
        long messages;
        long bytes;
        synchronized (account) {
            messages = handledMessages;
            bytes = handledBytes;
        }
        return new PeerCounters.Traffic(
                credit.messages() + outbound.gathered(),
                credit.bytes(),
                messages,
                bytes,
                outbound.blockedSends(),
                outbound.waitedNanos());
    }

    /** Confirms what is not confirmed yet, however little it is. */
    public void confirm() {
        if (unconfirmed) {
            synchronized (account) {
                confirmProcessed();
            }
        }
    }

    private void confirmProcessed() {
        // in the lock, so that the counts that travel only grow
        if (outbound.confirm(processedMessages, processedBytes)) {
            confirmedBytes = processedBytes;
            unconfirmed = false;
        }
    }

    // ---- leaving

    /** How a side of the connection stops sending and goes on. */
    private final class Side implements Farewell.Side {
        @Override
        public boolean pause() {
            outbound.pause(); // a message that came before is counted, and found here
            if (outbound.isQuiet() && !context.receive().requests().hasAny(Connection.this)) {
                return true;
            }
            outbound.resume();
            return false;
        }

        @Override
        public void resume() {
            outbound.resume();
        }

        @Override
        public boolean say(int kind) {
            return outbound.say(kind);
        }
    }

    /** Whether it ends, unless the other side stays. */
    public boolean isLeaving() {
        return farewell.isLeaving();
    }

    /** Whether something that was sent is not handled, or something that was asked is not answered. */
    public boolean isBusy() {
        return credit.inDoubt() > 0
                || outbound.gathered() > 0
                || context.receive().requests().hasAny(this);
    }

    /** Whether there is a goodbye that could not be answered yet, for want of room. */
    public boolean owesAnswer() {
        return farewell.isDue();
    }

    /**
     * Ends the connection if nothing is under way on it; see {@link Farewell}. Otherwise it goes on, and this is to be tried
     * again. Any thread.
     */
    public void dismiss() {
        if (context.clock().now() - mayLeave >= 0 && !isBusy()) {
            farewell.propose();
        }
    }

    /** By the polling thread. */
    @Override
    public void goodbyeHeard() {
        farewell.hearGoodbye();
    }

    /** By the polling thread. */
    @Override
    public void stayHeard() {
        mayLeave = context.clock().now() + REFUSED_MILLIS;
        farewell.hearStay();
    }

    // ---- the end

    /** Nothing is sent any more but answers, and what was gathered before: this node is being closed. Any thread. */
    public void stopSending() {
        boolean ignored = farewell.end(); // before the gate is closed, which nobody opens after this
        outbound.end();
    }

    /** Gives the connection up: requests that went by it fail at once. Any thread; idempotent. */
    @Override
    public void lose(String reason) {
        if (!lost.compareAndSet(false, true)) {
            return;
        }
        boolean agreed = farewell.end(); // before the gate is closed, which nobody opens after this
        outbound.close();
        context.lost().lost(this, agreed ? DISMISSED : reason, agreed);
    }

    /** Frees everything; by the polling thread, when it is not polled any more. */
    public void close() {
        inbound.close();
        sentinel.close();
        link.close();
    }
}
