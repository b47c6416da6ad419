package org.galerna.messaging;

import static org.galerna.messaging.Frames.LONG;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.link.Channel;
import org.galerna.messaging.serialization.Exporter;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of a connection. Any number of threads claim space in the channel at once, write their objects in place
 * and commit. What is longer than a frame goes in pieces, one object at a time; responses have a way of their own for
 * that, so that they need not wait for a message that waits for the window.
 */
final class Outbound {
    static final int SENT = 0;

    /** The window is used up, or the ring is full. */
    static final int BLOCKED = 1;

    /** The connection is gone, or going. */
    static final int CLOSED = 2;

    /** Longer than the space that was offered. */
    private static final int TOO_LONG = 3;

    private final Engine engine;
    private final Channel channel;
    private final Credit credit;
    private final boolean gathers;
    private final int longestFrame;
    private final ReentrantLock messagePieces = new ReentrantLock();
    private final ReentrantLock responsePieces = new ReentrantLock();
    private final LongAdder blocked = new LongAdder();
    private volatile boolean dirty;

    Outbound(Engine engine, Channel channel, Credit credit, boolean gathers, int longestFrame) {
        this.engine = engine;
        this.channel = channel;
        this.credit = credit;
        this.gathers = gathers;
        this.longestFrame = longestFrame;
    }

    long blockedSends() {
        return blocked.sum();
    }

    /**
     * Sends.
     *
     * @param kind {@link Frames#MESSAGE}, {@code REQUEST}, {@code RESPONSE} or {@code FAILURE}
     * @param deadline as of {@link System#nanoTime}
     * @param mayWait whether to wait for room
     * @return {@link #SENT}, {@link #CLOSED}, or {@link #BLOCKED} if it may not wait
     */
    <T> int send(MessageType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        SendScratch scratch = SendScratch.ofThread();
        scratch.checkIdle(); // before anything is claimed
        Turn turn = null; // made when it is needed, which is hardly ever
        int header = Frames.headerBytes(kind);
        long length = header + (long) type.estimate();
        while (true) {
            int result = length > longestFrame ? TOO_LONG : attempt(scratch, type, kind, id, message, (int) length);
            if (result == TOO_LONG) {
                length = header + scratch.measure(message, type.serializer());
                if (length > longestFrame) {
                    return sendPieces(
                            type, kind, id, message, length, mayWait ? new Turn(engine, deadline, this) : null);
                }
                type.learn((int) length - header);
                result = attempt(scratch, type, kind, id, message, (int) length);
                if (result == TOO_LONG) {
                    throw new IllegalStateException("a message of " + type + " grows while it is sent");
                }
            }
            if (result == SENT) {
                flush(kind != Frames.MESSAGE);
                return SENT;
            }
            if (result == CLOSED || !mayWait) {
                return result;
            }
            if (turn == null) {
                turn = new Turn(engine, deadline, this);
            }
            turn.await();
        }
    }

    private <T> int attempt(SendScratch scratch, MessageType<T> type, int kind, long id, T message, int length) {
        int cost = Credit.cost(length);
        int granted = credit.take(cost, 1, kind >= Frames.RESPONSE, false);
        if (granted != Credit.GRANTED) {
            return granted == Credit.CLOSED ? CLOSED : BLOCKED;
        }
        long claim = channel.claim(length);
        if (claim < 0) {
            credit.giveBack(cost, 1);
            if (claim != Channel.BACK_PRESSURE) {
                return CLOSED;
            }
            channel.flush();
            return BLOCKED;
        }
        MemorySegment memory = channel.memory();
        long at = Channel.offset(claim);
        int header = Frames.headerBytes(kind);
        memory.set(LONG, at, Frames.header(kind, type.version(), type.id()));
        if (header > Frames.HEADER_BYTES) {
            memory.set(LONG, at + Long.BYTES, id);
        }
        Exporter out = scratch.frame;
        int written;
        scratch.enter();
        try {
            out.begin(memory, at + header, length - header);
            type.serializer().write(message, out);
            written = out.written();
        } catch (RuntimeException | Error failed) {
            channel.abort(claim);
            credit.giveBack(cost, 1);
            if (failed == scratch.full) {
                return TOO_LONG;
            }
            throw failed;
        } finally {
            out.end();
            scratch.leave();
        }
        channel.commit(claim, header + written);
        int less = cost - Credit.cost(header + written);
        if (less != 0) {
            credit.giveBack(less, 0);
        }
        type.learn(written);
        return SENT;
    }

    /** Sets what was committed moving: at once, or with what others commit meanwhile. */
    private void flush(boolean now) {
        if (now || !gathers) {
            channel.flush();
        } else {
            if (!dirty) {
                dirty = true;
            }
            engine.ring();
        }
    }

    /** Flushes what was gathered; by the polling thread. Returns whether there was anything. */
    boolean flushGathered() {
        if (!dirty) {
            return false;
        }
        dirty = false;
        channel.flush();
        return true;
    }

    /** For who waits for room. */
    void push() {
        blocked.increment();
        dirty = false;
        channel.flush();
    }

    // ---- pieces

    private <T> int sendPieces(MessageType<T> type, int kind, long id, T message, long length, @Nullable Turn turn) {
        if (length > engine.config().maximumMessage()) {
            throw new IllegalArgumentException("a message of " + type + " has " + length + " bytes, more than the "
                    + engine.config().maximumMessage() + " that a message may have");
        }
        if (turn == null) {
            throw new IllegalArgumentException("a message of " + type + " has " + length + " bytes, more than the "
                    + longestFrame + " that can be sent without waiting");
        }
        boolean response = kind >= Frames.RESPONSE;
        ReentrantLock way = response ? responsePieces : messagePieces;
        while (!way.tryLock()) {
            turn.await();
        }
        try {
            PieceWriter writer =
                    new PieceWriter(channel, credit, longestFrame, turn, response, response ? Frames.OF_RESPONSE : 0);
            boolean sent = writer.write(type, kind, id, message, length);
            channel.flush();
            return sent ? SENT : CLOSED;
        } finally {
            way.unlock();
        }
    }

    /** Says how much was processed; false if there is no room at the moment. */
    boolean confirm(int messages, int bytes) {
        long claim = channel.claim(Frames.CONFIRM_BYTES);
        if (claim < 0) {
            return claim == Channel.CLOSED;
        }
        MemorySegment memory = channel.memory();
        long at = Channel.offset(claim);
        memory.set(LONG, at, Frames.CONFIRM);
        memory.set(LONG, at + Long.BYTES, (messages & 0xffffffffL) | (long) bytes << 32);
        channel.commit(claim, Frames.CONFIRM_BYTES);
        if (gathers) {
            dirty = true;
        }
        // not flushed where that only wakes the peer: who waits for room looks by himself
        return true;
    }
}
