package org.galerna.messaging;

import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.link.Channel;
import org.galerna.link.Link;
import org.galerna.link.hybrid.Sentinel;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** A link to one start of another node, or to this one. */
final class Connection {
    private static final int LONGEST_FRAME = 32 * 1024;

    /** The part of the window after which the receiver confirms. */
    private static final int WINDOW_SHARE = 8;

    /** How long a connection is left alone that the other side wants to keep. */
    private static final long REFUSED_MILLIS = 20;

    private static final String DISMISSED = "it was used least recently, and was dismissed";

    private static final MessageType<String> FAILURE =
            MessageType.internal(MessageType.MAXIMUM_ID + 1, String.class, new Serializer<>() {
                @Override
                public void write(String value, Exporter out) {
                    out.writeString(value);
                }

                @Override
                public String read(Importer in, @Nullable String reused) {
                    return String.valueOf(in.readString());
                }
            });

    private final Engine engine;
    private final int peer;
    private final long incarnation;
    private final Link link;
    private final Credit credit;
    private final Outbound outbound;
    private final Inbound inbound;
    private final Sentinel sentinel;
    private final Dispatcher.Lane lane;
    private final Advance advance = new Advance();
    private final AtomicBoolean lost = new AtomicBoolean();
    private final int window;

    // guarded by the account
    private final Object account = new Object();
    private int processedMessages;
    private int processedBytes;
    private int confirmedBytes;
    private volatile boolean unconfirmed;

    private volatile long lastUsed;
    private final Farewell farewell;
    private volatile long mayLeave; // by the coarse clock

    Connection(Engine engine, int peer, long incarnation, Link link, int rankOfPeer) {
        this.engine = engine;
        this.peer = peer;
        this.incarnation = incarnation;
        this.link = link;
        this.lane = engine.dispatcher().lane(peer);
        this.window = engine.config().window();
        this.credit = new Credit(window);
        int longest = Math.min(
                Math.min(link.capabilities().maximumFrame(), LONGEST_FRAME), window / WINDOW_SHARE - Long.BYTES);
        Channel channel = link.connect(rankOfPeer);
        this.outbound = new Outbound(engine, channel, credit, link.writesOnFlush(), longest & -Long.BYTES);
        this.inbound = new Inbound(this, engine);
        this.sentinel =
                new Sentinel("galerna-messaging-" + engine.config().id() + "-sentinel-" + peer, link, engine::ring);
        this.farewell = new Farewell(new Side());
        this.lastUsed = engine.now();
    }

    Engine engine() {
        return engine;
    }

    int peer() {
        return peer;
    }

    long incarnation() {
        return incarnation;
    }

    Link link() {
        return link;
    }

    Credit credit() {
        return credit;
    }

    Outbound outbound() {
        return outbound;
    }

    Sentinel sentinel() {
        return sentinel;
    }

    Dispatcher.Lane lane() {
        return lane;
    }

    Advance advance() {
        return advance;
    }

    boolean isLost() {
        return lost.get();
    }

    long lastUsed() {
        return lastUsed;
    }

    private void use() {
        long now = engine.now();
        if (now != lastUsed) { // a coarse clock, so that many senders hardly ever write
            lastUsed = now;
        }
    }

    /** Sends; see {@link Outbound#send}. */
    <T> int send(
            SendScratch scratch, MessageType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        use();
        return outbound.send(scratch, type, kind, id, message, deadline, mayWait);
    }

    void respond(long request, Object response) {
        SendScratch scratch = SendScratch.ofThread();
        respond(scratch, scratch.typeOf(engine, response), Frames.RESPONSE, request, response);
    }

    /** Says what went wrong. What is too long for a frame is cut, so that it can always be sent. */
    void respondFailure(long request, String reason) {
        String text = Thrown.cut(String.valueOf(reason), Thrown.MOST_CHARACTERS);
        respond(SendScratch.ofThread(), FAILURE, Frames.FAILURE, request, outbound.cutToFrame(text));
    }

    private <T> void respond(SendScratch scratch, MessageType<T> type, int kind, long request, T response) {
        long deadline = TimeLimit.deadline(engine.config().sendTimeout());
        if (isLost() || send(scratch, type, kind, request, response, deadline, true) != Outbound.SENT) {
            throw new MessagingException(
                    MessagingException.Reason.UNREACHABLE,
                    "node " + peer + " has asked, and is gone before it could be answered");
        }
    }

    // ---- receiving

    /** By the polling thread. Returns the number of frames. */
    int poll(int limit) {
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
    int confirmations() {
        return inbound.confirmations();
    }

    /** Says that some of what has come was processed. */
    void processed(int messages, int bytes) {
        if (messages == 0 && bytes == 0) {
            return;
        }
        synchronized (account) {
            processedMessages += messages;
            processedBytes += bytes;
            unconfirmed = true;
            if (processedBytes - confirmedBytes >= window / WINDOW_SHARE) {
                confirmProcessed();
            }
        }
    }

    /** Confirms what is not confirmed yet, however little it is. */
    void confirm() {
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
            outbound.pause(); // whoever came before is counted, and found here
            if (outbound.isQuiet() && !engine.requests().hasAny(Connection.this)) {
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
    boolean isLeaving() {
        return farewell.isLeaving();
    }

    /** Whether something that was sent is not handled, or something that was asked is not answered. */
    boolean isBusy() {
        return credit.inDoubt() > 0
                || outbound.gathered() > 0
                || engine.requests().hasAny(this);
    }

    /** Whether there is a goodbye that could not be answered yet, for want of room. */
    boolean owesAnswer() {
        return farewell.isDue();
    }

    /**
     * Ends the connection if nothing is under way on it; see {@link Farewell}. Otherwise it goes on, and this is to be tried
     * again. Any thread.
     */
    void dismiss() {
        if (engine.now() - mayLeave >= 0 && !isBusy()) {
            farewell.propose();
        }
    }

    /** By the polling thread. */
    void goodbyeHeard() {
        farewell.hearGoodbye();
    }

    /** By the polling thread. */
    void stayHeard() {
        mayLeave = engine.now() + REFUSED_MILLIS;
        farewell.hearStay();
    }

    // ---- the end

    /** Nothing is sent any more but answers, and what was gathered before: this node is being closed. Any thread. */
    void stopSending() {
        boolean ignored = farewell.end(); // before the gate is closed, which nobody opens after this
        outbound.end();
    }

    /** Gives the connection up: requests that went by it fail at once. Any thread; idempotent. */
    void lose(String reason) {
        if (!lost.compareAndSet(false, true)) {
            return;
        }
        boolean agreed = farewell.end(); // before the gate is closed, which nobody opens after this
        outbound.close();
        engine.disconnected(this, agreed ? DISMISSED : reason);
        if (!agreed) { // otherwise nothing is under way: who is about to ask finds the gate closed, and asks over the
            // next one
            engine.failRequests(this, reason);
        }
        engine.poller().retire(this);
        engine.ring();
    }

    /** Frees everything; by the polling thread, when it is not polled any more. */
    void close() {
        inbound.close();
        sentinel.close();
        link.close();
    }
}
