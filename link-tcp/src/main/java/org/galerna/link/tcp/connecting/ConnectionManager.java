package org.galerna.link.tcp.connecting;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import org.galerna.link.process.OwnLog;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.network.Network;

/**
 * Lets peers in and calls them, whatever the rank itself is doing, on a {@link ManagerThread}: the {@link Acceptor} takes
 * connections, the {@link Dialer} opens some, the {@link Handshakes} have both ends prove themselves. What ranks say to each
 * other afterwards does not pass through it.
 */
public final class ConnectionManager {
    private static final Logger LOGGER = OwnLog.of("org.galerna.link.tcp");

    /** Time between two looks while somebody is waited for. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ManagerContext context;
    private final Network.Listening listening;
    private final Handshakes handshakes;
    private final Acceptor acceptor;
    private final Dialer dialer;

    private volatile boolean hasNews;

    // of the thread
    private long nextPulse;
    private long nextLook;
    private boolean ended;

    /** Not started. */
    public ConnectionManager(ManagerContext context, Network.Listening listening) {
        this.context = context;
        this.listening = listening;
        this.handshakes = new Handshakes(this, context);
        this.acceptor = new Acceptor(this, listening, context.refusals(), handshakes);
        this.dialer = new Dialer(context, handshakes, acceptor);
    }

    public void start() {
        context.thread().add(this);
        listening.receive(context.directory().name(), acceptor::arrive);
    }

    /** Opens a connection to a peer, for a purpose of {@link Hello}. */
    public void call(int peer, int purpose, int subject) {
        tell(() -> dialer.begin(peer, purpose, subject));
    }

    /** Stops listening where no rank of the job can come from. */
    public void keepToThisHost() {
        tell(acceptor::keepToThisHost);
    }

    /** Has calls go on that wait for room. */
    public void makeUseOfRoom() {
        tell(dialer::resume);
    }

    /** Makes waiting threads look at the next tick. Any thread may call. */
    public void tellNewsSoon() {
        if (!hasNews) {
            hasNews = true;
            context.thread().tell(this, () -> {}); // which has it look when to look next
        }
    }

    /** Ends the calls for connections: this rank leaves. */
    public void leave() {
        tell(dialer::endConnecting);
    }

    /** Has the thread do something, unless this has ended by then. */
    void tell(Runnable command) {
        context.thread().tell(this, command);
    }

    /** Ends everything; returns when the thread does nothing more. */
    public void close() {
        context.thread().remove(this);
    }

    /** Channels that have come by an entrance and that nobody has looked at yet. */
    public int waitingArrivals() {
        return acceptor.waitingArrivals();
    }

    Selector selector() {
        return context.thread().selector();
    }

    Dialer dialer() {
        return dialer;
    }

    // ---- the thread

    /** Begins. */
    void begin() {
        // on whole multiples, so that those who share a thread wake it once for all
        long period = context.timing().pulseNanos();
        nextLook = System.nanoTime();
        nextPulse = (nextLook / period + 2) * period;
        try {
            acceptor.open();
        } catch (IOException closedAlready) {
            failed("nobody can be let in: " + closedAlready.getMessage());
        }
    }

    /** Ends. */
    void end() {
        ended = true;
        handshakes.close();
        acceptor.close();
    }

    boolean hasEnded() {
        return ended;
    }

    /** When to look next, by {@link System#nanoTime}: soon, if somebody is waited for. */
    long nextLook() {
        boolean isBusy = hasNews || handshakes.isBusy() || dialer.isBusy() || acceptor.isPaused();
        return isBusy && nextLook - nextPulse < 0 ? nextLook : nextPulse;
    }

    /** Looks whose time is over, if it is time for that. */
    void look(long now) {
        if (now - nextLook() < 0) {
            return;
        }
        nextLook = now + TICK_NANOS;
        if (hasNews) {
            hasNews = false; // first: what comes from here on is told at the next look
            context.events().onNews();
        }
        long attentive = context.thread().clock().now();
        acceptor.resume();
        handshakes.expire(attentive);
        dialer.expire(attentive);
        if (now - nextPulse >= 0) {
            long period = context.timing().pulseNanos();
            nextPulse = (now / period + 1) * period;
            context.events().onPulse();
        }
    }

    /** Goes on with a handshake whose channel is ready. */
    void proceed(Handshaking handshaking) {
        handshakes.proceed(handshaking);
    }

    /** The thread cannot do its work. */
    void failed(String reason) {
        context.refusals().add(Refusals.Kind.NOT_ACCEPTED, reason);
    }

    /** Something of this link is wrong, which must not harm others. */
    void broken(RuntimeException wrong) {
        LOGGER.log(Level.ERROR, () -> context.name() + " cannot go on", wrong);
        for (int peer = 0; peer < context.size(); peer++) {
            if (peer != context.rank()) {
                context.events().onLost(peer, "this rank cannot keep the connection: " + wrong);
            }
        }
    }

    @Override
    public String toString() {
        return context.name();
    }
}
