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
    private volatile boolean leaving;
    private volatile boolean goodbyeHeard;
    private final AtomicBoolean goodbyeSaid = new AtomicBoolean();

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
        if (leaving) {
            sayGoodbye();
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

    /** Whether it was dismissed, and ends when both sides have processed everything. */
    boolean isLeaving() {
        return leaving;
    }

    /**
     * Dismisses the connection: nothing is sent on it any more but responses. Once the other node has processed all that
     * was sent and has answered all requests, it is told so, and does the same. Who has said and heard that has nothing
     * left to send or to receive. Any thread; idempotent.
     */
    void leave() {
        outbound.leave(); // whoever came before is counted, and waited for
        leaving = true;
        engine.ring();
    }

    /** By the polling thread. */
    void goodbyeHeard() {
        goodbyeHeard = true;
        engine.dismissed(this);
    }

    private void sayGoodbye() {
        if (!goodbyeSaid.get()
                && credit.inDoubt() == 0
                && outbound.hasSentGathered()
                && !engine.requests().hasAny(this)
                && outbound.sayGoodbye()) {
            goodbyeSaid.set(true);
        }
        if (goodbyeSaid.get() && goodbyeHeard) {
            link.stop(); // the other one still has to find the goodbye
            lose(DISMISSED);
        }
    }

    // ---- the end

    /** Gives the connection up: requests that went by it fail at once. Any thread; idempotent. */
    void lose(String reason) {
        if (!lost.compareAndSet(false, true)) {
            return;
        }
        outbound.close();
        engine.disconnected(this, goodbyeHeard && goodbyeSaid.get() ? DISMISSED : reason);
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
