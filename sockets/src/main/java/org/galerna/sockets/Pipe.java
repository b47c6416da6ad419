package org.galerna.sockets;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.memory.RingViolationException;
import org.jspecify.annotations.Nullable;

/**
 * Two streams of bytes, one each way, between the two ends of a TCP connection, through memory that the two share, or through
 * memory of each on hosts of their own; one end of it. TCP stays open below it: for the addresses, the options, and to hold
 * the port.
 *
 * <p>Life of the memory. A thread that reads or writes holds the lock of its direction. Whoever closes the pipe marks it as
 * closed, wakes who waits, and lets go of each direction whose lock is free; a thread that gives its lock back looks at the
 * mark after that and lets go in turn ({@link TurningConnection}). Whoever closes is a user too, until it has told the other
 * end, and so is a selector that looks at the pipe, until it has forgotten the channel. When all have let go nobody touches the memory any more but the thread of {@link Control}, which is therefore the
 * one that gives it back.
 */
final class Pipe {
    /** The largest piece that is copied before the other end gets to see it. */
    static final int STEP = 1 << 16;

    /** Directions, as seen from the end that waits: see {@link #wakePeer}. */
    static final int RECEIVER = 0;

    static final int SENDER = 1;

    private final PipeMemory memory;
    private final Carrier carrier;
    private final @Nullable FarEnd far; // if the other end is on another host
    private final int id;
    private final PipeReceiver receiver;
    private final PipeSender sender;
    private final AtomicInteger users = new AtomicInteger(3); // the two directions, and who is to close it
    private volatile boolean accepted;
    private volatile boolean closed;
    private volatile boolean peerGone;
    private volatile @Nullable WeakReference<TurningConnection> connection;

    /**
     * One end.
     *
     * @param outgoing the direction that this end sends in
     * @param id what both ends call the pipe when they talk about it over {@code carrier}
     * @param far the other end, if it is on another host
     */
    Pipe(PipeMemory memory, int outgoing, Carrier carrier, int id, @Nullable FarEnd far) {
        this.memory = memory;
        this.carrier = carrier;
        this.id = id;
        this.far = far;
        int incoming = PipeLayout.FORTH + PipeLayout.BACK - outgoing;
        this.receiver = new PipeReceiver(this, memory.direction(incoming), memory.data(incoming));
        this.sender = new PipeSender(this, memory.direction(outgoing), memory.data(outgoing));
        Counters.INSTANCE.opened(this);
    }

    /** What it goes through: {@link Settings#SHARED_MEMORY} or the name of a network. */
    String through() {
        return far == null ? Settings.SHARED_MEMORY : far.connection().network();
    }

    /** Reads and writes of this end so far that needed no call of the system, less those for waiting and waking. */
    long callsSaved() {
        return sender.callsSaved() + receiver.callsSaved();
    }

    /** How the connection ends if it is closed now. */
    String howItEnds(boolean abort) {
        if (peerGone) {
            return "the other process has ended";
        }
        if (wasReset()) {
            return "reset by the other end";
        }
        return abort
                ? "reset by this end"
                : receiver.end() == PipeLayout.OPEN ? "closed by this end" : "closed by the other end";
    }

    int id() {
        return id;
    }

    PipeReceiver receiver() {
        return receiver;
    }

    PipeSender sender() {
        return sender;
    }

    /** Whether the end that was offered this has agreed. */
    boolean isAccepted() {
        if (!accepted && memory.state() == PipeLayout.ACCEPTED) {
            accepted = true;
        }
        return accepted;
    }

    /** Agrees to what the other end offers; false if that has taken it back. */
    boolean accept() {
        boolean agreed = memory.decide(PipeLayout.ACCEPTED);
        if (agreed && far != null) {
            far.agree();
        }
        return agreed;
    }

    /** The other end, if it is on another host; null if it has the memory of this one. */
    @Nullable
    FarEnd far() {
        return far;
    }

    /** Whether bytes may go over TCP again, which they may not before the mark. */
    boolean maySpill() {
        return far == null || far.isMarked();
    }

    /** Something has changed here that the other end has to know. */
    void changed() {
        if (far != null) {
            far.push();
        }
    }

    /** Bytes were read. */
    void hasRead() {
        if (far != null) {
            far.pushRead();
        }
    }

    /** Takes what has come from another host; true if that was something. */
    boolean progress() {
        return far != null && far.connection().progress();
    }

    /** Somebody is about to wait for this without looking, and looks once more before. */
    void willSleep() {
        if (far != null) {
            far.connection().want();
        }
    }

    boolean isClosed() {
        return closed;
    }

    boolean isPeerGone() {
        return peerGone;
    }

    boolean hasUnreadOutgoing() {
        return sender.hasUnread();
    }

    boolean wasReset() {
        return receiver.end() == PipeLayout.RESET;
    }

    /** What there is to throw when the other end breaks the rules of the ring. */
    SocketException damaged(RingViolationException violation) {
        SocketException exception = new SocketException("Connection reset: " + violation.getMessage());
        exception.initCause(violation);
        return exception;
    }

    /** How much room there has to be before a sender that waits for it is woken: it is worth the effort then. */
    static int plentyOfRoom(MemorySegment data) {
        return (int) data.byteSize() / 4;
    }

    /**
     * Wakes a virtual thread or a selector that waits at the other end.
     *
     * @param sleep what the word said, {@link Waiter#PARKED} or {@link Waiter#LISTENS}
     * @param direction {@link #RECEIVER} or {@link #SENDER}
     */
    void wakePeer(int sleep, MemorySegment shared, long word, int direction) {
        if (sleep != Waiter.LISTENS || !carrier.ring((int) PipeLayout.INTS.getOpaque(shared, word + Waiter.BELL))) {
            carrier.unpark(id, direction);
        }
    }

    /** Lets the other end ring a bell of this process; false if that has to be tried again. */
    boolean announce(Bell bell) {
        return carrier.announce(bell);
    }

    /** Has somebody told whenever something has happened that a selector may wait for, and nobody has rung its bell. */
    void tell(TurningConnection told) {
        connection = new WeakReference<>(told); // which nothing that lives longer may keep from being collected
    }

    private void tell() {
        WeakReference<TurningConnection> told = connection;
        TurningConnection alive = told == null ? null : told.get();
        if (alive != null) {
            alive.changed();
        }
    }

    /** The other end says that what waits here in this process need not wait any more. */
    void unpark(int direction) {
        if (direction == RECEIVER) {
            receiver.unpark();
        } else {
            sender.unpark();
        }
        tell();
    }

    /** The process at the other end has died, or has gone without closing this. */
    void peerHasGone() {
        peerGone = true;
        receiver.wake();
        sender.wake();
        tell();
    }

    /**
     * Closes this end: wakes who waits here, and tells the other end. Once only.
     *
     * @param abort whether the other end is to see a reset; otherwise the end of the stream, also where bytes of the other
     *     end are left unread: so the platform's sockets do it, which end their direction before they close
     */
    void close(boolean abort) {
        if (!isAccepted() && memory.decide(PipeLayout.WITHDRAWN)) {
            carrier.withdraw(id);
            memory.removeName();
        }
        closed = true;
        Counters.INSTANCE.closed(this);
        sender.close(abort);
        receiver.close();
        letGo(); // not before: those whom this has woken may have let go of both directions
    }

    /** Closes this end, which nobody uses. */
    void abandon() {
        if (!closed) {
            close(false);
            letGo();
            letGo();
        }
    }

    /** One user more, who looks at the memory; false if it has none any more. */
    boolean retain() {
        int now;
        do {
            now = users.get();
            if (now == 0) {
                return false;
            }
        } while (!users.compareAndSet(now, now + 1));
        return true;
    }

    /** One user less: no thread reads any more, or writes, or closes this, or looks at it. */
    void letGo() {
        if (users.decrementAndGet() == 0) {
            carrier.forget(this, memory);
        }
    }
}
