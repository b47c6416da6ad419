package org.galerna.sockets;

import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.memory.RingViolationException;

/**
 * Two streams of bytes through shared memory, one each way, between the two ends of a TCP connection; one end of it. TCP
 * stays open below it: for the addresses, the options, and to hold the port.
 *
 * <p>Life of the memory. A thread that reads or writes holds the lock of its direction. Whoever closes the pipe marks it as
 * closed, wakes who waits, and lets go of each direction whose lock is free; a thread that gives its lock back looks at the
 * mark after that and lets go in turn ({@link FastConnection}). Whoever closes is a user too, until it has told the other
 * end. When all have let go nobody touches the memory any more but the thread of {@link Control}, which is therefore the
 * one that gives it back.
 */
final class Pipe {
    /** The largest piece that is copied before the other end gets to see it. */
    static final int STEP = 1 << 16;

    /** Directions, as seen from the end that waits: see {@link #unparkPeer}. */
    static final int RECEIVER = 0;

    static final int SENDER = 1;

    private final PipeMemory memory;
    private final ControlConnection control;
    private final int id;
    private final PipeReceiver receiver;
    private final PipeSender sender;
    private final AtomicInteger users = new AtomicInteger(3); // the two directions, and who is to close it
    private volatile boolean accepted;
    private volatile boolean closed;
    private volatile boolean peerGone;

    /**
     * One end.
     *
     * @param outgoing the direction that this end sends in
     * @param id what both ends call the pipe when they talk about it over {@code control}
     */
    Pipe(PipeMemory memory, int outgoing, ControlConnection control, int id) {
        this.memory = memory;
        this.control = control;
        this.id = id;
        int incoming = PipeLayout.FORTH + PipeLayout.BACK - outgoing;
        this.receiver = new PipeReceiver(this, memory.direction(incoming), memory.data(incoming));
        this.sender = new PipeSender(this, memory.direction(outgoing), memory.data(outgoing));
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
        return memory.decide(PipeLayout.ACCEPTED);
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

    /** Has the other end's process look after its virtual thread that waits there. */
    void unparkPeer(int direction) {
        control.unpark(id, direction);
    }

    /** The other end says that a virtual thread of this process need not wait any more. */
    void unpark(int direction) {
        if (direction == RECEIVER) {
            receiver.unpark();
        } else {
            sender.unpark();
        }
    }

    /** The process at the other end has died, or has gone without closing this. */
    void peerHasGone() {
        peerGone = true;
        receiver.wake();
        sender.wake();
    }

    /**
     * Closes this end: wakes who waits here, and tells the other end. Once only.
     *
     * @param abort whether the other end is to see a reset; otherwise the end of the stream, also where bytes of the other
     *     end are left unread: so the platform's sockets do it, which end their direction before they close
     */
    void close(boolean abort) {
        if (!isAccepted() && memory.decide(PipeLayout.WITHDRAWN)) {
            control.withdraw(id);
            memory.removeName();
        }
        closed = true;
        Counters.INSTANCE.closed(sender.written());
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

    /** One user less: no thread reads any more, or writes, or closes this. */
    void letGo() {
        if (users.decrementAndGet() == 0) {
            control.forget(this, memory);
        }
    }
}
