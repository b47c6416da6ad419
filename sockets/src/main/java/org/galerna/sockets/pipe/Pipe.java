package org.galerna.sockets.pipe;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.memory.RingViolationException;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Two streams of bytes, one each way, between the two ends of a TCP connection, through memory that the two share, or through
 * memory of each on hosts of their own; one end of it. TCP stays open below it: for the addresses, the options, and to hold
 * the port.
 *
 * <p>Life of the memory. A thread that reads or writes holds the lock of its direction. A thread that closes the pipe marks it as
 * closed, wakes what waits, and lets go of each direction whose lock is free; a thread that gives its lock back looks at the
 * mark after that and lets go in turn ({@code UpgradableConnection}). The thread that closes is a user too, until it has told the other
 * end, and so is a selector that looks at the pipe, until it has forgotten the channel. When all have let go nobody touches the memory any more but the thread of {@code HostControl}, which is therefore the
 * one that gives it back.
 */
public final class Pipe implements Counters.Traffic {
    /** The largest piece that is copied before the other end gets to see it. */
    public static final int STEP = 1 << 16;

    /** Directions, as seen from the end that waits: see {@link #wakePeer}. */
    public static final int RECEIVER = 0;

    public static final int SENDER = 1;

    private final PipeMemory memory;
    private final PipeTransport carrier;
    private final @Nullable Remote far; // if the other end is on another host
    private final int id;
    private final PipeReceiver receiver;
    private final PipeSender sender;
    private final AtomicInteger users = new AtomicInteger(3); // the two directions, and the thread that is to close it
    private volatile boolean accepted;
    private volatile boolean closed;
    private volatile boolean peerGone;
    private volatile @Nullable WeakReference<PipeListener> connection;

    /**
     * One end.
     *
     * @param outgoing the direction that this end sends in
     * @param id what both ends call the pipe when they talk about it over {@code carrier}
     * @param far the other end, if it is on another host
     */
    public Pipe(PipeMemory memory, int outgoing, PipeTransport carrier, int id, @Nullable Remote far) {
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
    public String through() {
        return far == null ? Settings.SHARED_MEMORY : far.link().network();
    }

    /** Reads and writes of this end so far that needed no call of the system, less those for waiting and waking. */
    @Override
    public long callsSaved() {
        return sender.callsSaved() + receiver.callsSaved();
    }

    @Override
    public long written() {
        return sender.written();
    }

    @Override
    public long taken() {
        return receiver.taken();
    }

    /** How the connection ends if it is closed now. */
    public String howItEnds(boolean abort) {
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

    public int id() {
        return id;
    }

    public PipeReceiver receiver() {
        return receiver;
    }

    public PipeSender sender() {
        return sender;
    }

    /** Whether the end that was offered this has agreed. */
    public boolean isAccepted() {
        if (!accepted && memory.state() == PipeLayout.ACCEPTED) {
            accepted = true;
        }
        return accepted;
    }

    /** Agrees to what the other end offers; false if that has taken it back. */
    public boolean accept() {
        boolean agreed = memory.decide(PipeLayout.ACCEPTED);
        if (agreed && far != null) {
            far.agree();
        }
        return agreed;
    }

    /** The other end, if it is on another host; null if it has the memory of this one. */
    public @Nullable Remote far() {
        return far;
    }

    /** Whether bytes may go over TCP again, which they may not before the mark. */
    public boolean maySpill() {
        return far == null || far.isMarked();
    }

    /** Something has changed here that the other end has to know. */
    public void changed() {
        if (far != null) {
            far.push();
        }
    }

    /** Bytes were read. */
    public void hasRead() {
        if (far != null) {
            far.pushRead();
        }
    }

    /** Takes what has come from another host; true if that was something. */
    public boolean progress() {
        return far != null && far.link().progress();
    }

    /** Somebody is about to wait for this without looking, and looks once more before. */
    public void willSleep() {
        if (far != null) {
            far.link().want();
        }
    }

    public boolean isClosed() {
        return closed;
    }

    public boolean isPeerGone() {
        return peerGone;
    }

    public boolean hasUnreadOutgoing() {
        return sender.hasUnread();
    }

    public boolean wasReset() {
        return receiver.end() == PipeLayout.RESET;
    }

    /** What there is to throw when the other end breaks the rules of the ring. */
    public SocketException damaged(RingViolationException violation) {
        SocketException exception = new SocketException("Connection reset: " + violation.getMessage());
        exception.initCause(violation);
        return exception;
    }

    /** How much room there has to be before a sender that waits for it is woken: it is worth the effort then. */
    public static int plentyOfRoom(MemorySegment data) {
        return (int) data.byteSize() / 4;
    }

    /**
     * Wakes a virtual thread or a selector that waits at the other end.
     *
     * @param sleep what the word said, {@link Waiter#PARKED} or {@link Waiter#LISTENS}
     * @param direction {@link #RECEIVER} or {@link #SENDER}
     */
    public void wakePeer(int sleep, MemorySegment shared, long word, int direction) {
        if (sleep != Waiter.LISTENS || !carrier.ring((int) PipeLayout.INTS.getOpaque(shared, word + Waiter.BELL))) {
            carrier.unpark(id, direction);
        }
    }

    /** Lets the other end ring a bell of this process; false if that has to be tried again. */
    public boolean announce(WakeupFd bell) {
        return carrier.announce(bell);
    }

    /** Has somebody told whenever something has happened that a selector may wait for, and nobody has rung its bell. */
    public void tell(PipeListener told) {
        connection = new WeakReference<>(told); // which nothing that lives longer may keep from being collected
    }

    private void tell() {
        WeakReference<PipeListener> told = connection;
        PipeListener alive = told == null ? null : told.get();
        if (alive != null) {
            alive.changed();
        }
    }

    /** The other end says that what waits here in this process need not wait any more. */
    public void unpark(int direction) {
        if (direction == RECEIVER) {
            receiver.unpark();
        } else {
            sender.unpark();
        }
        tell();
    }

    /** The process at the other end has died, or has gone without closing this. */
    public void peerHasGone() {
        peerGone = true;
        receiver.wake();
        sender.wake();
        tell();
    }

    /**
     * Closes this end: wakes what waits here, and tells the other end. Once only.
     *
     * @param abort whether the other end is to see a reset; otherwise the end of the stream, also where bytes of the other
     *     end are left unread: so the platform's sockets do it, which end their direction before they close
     */
    public void close(boolean abort) {
        if (!isAccepted() && memory.decide(PipeLayout.WITHDRAWN)) {
            carrier.withdraw(id);
            memory.removeName();
        }
        closed = true;
        Counters.INSTANCE.closed(this);
        sender.close(abort);
        receiver.close();
        letGo(); // not before: threads that this has woken may have let go of both directions
    }

    /** Closes this end, which nobody uses. */
    public void abandon() {
        if (!closed) {
            close(false);
            letGo();
            letGo();
        }
    }

    /** One user more, which looks at the memory; false if it has none any more. */
    public boolean retain() {
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
    public void letGo() {
        if (users.decrementAndGet() == 0) {
            carrier.forget(this, memory);
        }
    }
}
