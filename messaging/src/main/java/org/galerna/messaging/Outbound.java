package org.galerna.messaging;

import static org.galerna.messaging.Frames.LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.link.Channel;
import org.galerna.messaging.serialization.Exporter;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of a connection. Any number of threads claim space in the channel at once, write their objects in place
 * and commit. What is longer than a frame goes in pieces, one object at a time; responses have a way of their own for
 * that, so that they need not wait for a message that waits for the window. Short messages of a thread that sends many are
 * {@linkplain Gathering gathered}.
 */
final class Outbound {
    static final int SENT = 0;

    /** The window is used up, or the ring is full. */
    static final int BLOCKED = 1;

    /** The connection is gone, or going. */
    static final int CLOSED = 2;

    /** For {@link #send}: as long as the configuration says, from the first wait on. */
    static final long USUAL_DEADLINE = 0;

    /** Threads that gather messages for one connection, at most. */
    private static final int MOST_GATHERINGS = 64;

    /** How long gathered messages lie that nobody adds to. */
    private static final long STALE_NANOS = 10_000;

    private static final long UNUSED_NANOS = 1_000_000_000;

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
    private volatile Gathering[] gatherings = {};
    private volatile boolean leaving;

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
     * @param deadline as of {@link System#nanoTime}, or {@link #USUAL_DEADLINE}
     * @param mayWait whether to wait for room
     * @return {@link #SENT}, {@link #CLOSED}, or {@link #BLOCKED} if it may not wait
     */
    <T> int send(MessageType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        SendScratch scratch = SendScratch.ofThread();
        scratch.checkIdle(); // before anything is claimed
        Streak streak = scratch.streak(this);
        Gathering gathering = streak.gathering;
        if (gathering == null) {
            int result = sendAlone(scratch, type, kind, id, message, deadline, mayWait);
            if (kind == Frames.MESSAGE && result == SENT && streak.isFast()) {
                streak.gathering = newGathering(type);
            }
            return result;
        }
        if (kind == Frames.MESSAGE && type.estimate() <= Gathering.LONGEST_MESSAGE) {
            int result = gather(gathering, scratch, type, message, deadline, mayWait);
            if (result != TOO_LONG) {
                return result;
            }
        }
        // what this thread has sent before goes first
        int result = ship(gathering, deadline, mayWait);
        if (gathering.isClosed()) { // unused for long, or the connection is gone
            streak.gathering = null;
        }
        return result == SENT ? sendAlone(scratch, type, kind, id, message, deadline, mayWait) : result;
    }

    private Turn turn(long deadline) {
        long end = deadline != USUAL_DEADLINE
                ? deadline
                : System.nanoTime() + engine.config().sendTimeout().toNanos();
        return new Turn(engine, end, this);
    }

    private <T> int sendAlone(
            SendScratch scratch, MessageType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        Turn turn = null; // made when it is needed, which is hardly ever
        int header = Frames.headerBytes(kind);
        long length = header + (long) type.estimate();
        while (true) {
            int result = length > longestFrame ? TOO_LONG : attempt(scratch, type, kind, id, message, (int) length);
            if (result == TOO_LONG) {
                length = header + scratch.measure(message, type.serializer());
                if (length > longestFrame) {
                    return sendPieces(type, kind, id, message, length, mayWait ? turn(deadline) : null);
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
                turn = turn(deadline);
            }
            turn.await();
        }
    }

    private <T> int attempt(SendScratch scratch, MessageType<T> type, int kind, long id, T message, int length) {
        int cost = Credit.cost(length);
        int granted = credit.take(cost, 1, kind >= Frames.RESPONSE, kind >= Frames.RESPONSE);
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
        boolean busy = shipStale();
        if (!dirty) {
            return busy;
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

    // ---- gathering

    /** Null for threads that are best left alone. */
    private @Nullable Gathering newGathering(MessageType<?> type) {
        if (type.estimate() > Gathering.LONGEST_MESSAGE
                || Thread.currentThread().isVirtual()) {
            return null; // of virtual threads there may be very many
        }
        synchronized (this) {
            Gathering[] before = gatherings;
            if (before.length == MOST_GATHERINGS || credit.isClosed()) {
                return null;
            }
            Gathering gathering = new Gathering(longestFrame);
            Gathering[] grown = Arrays.copyOf(before, before.length + 1);
            grown[before.length] = gathering;
            gatherings = grown;
            return gathering;
        }
    }

    /** Returns {@link #TOO_LONG} if the message cannot be gathered. */
    private <T> int gather(
            Gathering gathering, SendScratch scratch, MessageType<T> type, T message, long deadline, boolean mayWait) {
        int estimate = Frames.HEADER_BYTES + type.estimate();
        for (int tries = 0; tries < 2; tries++) {
            if (gathering.room() < estimate || tries > 0) {
                int shipped = ship(gathering, deadline, mayWait);
                if (shipped != SENT) {
                    return shipped;
                }
            }
            gathering.enter();
            scratch.enter();
            try {
                if (gathering.isClosed() || credit.isClosed()) {
                    return TOO_LONG; // by itself it finds the gate closed
                }
                int before = gathering.add(type, message, scratch.frame);
                type.learn(scratch.frame.written());
                if (before != 0) {
                    return SENT;
                }
            } catch (SendScratch.Full full) {
                if (full != scratch.full) {
                    throw full;
                }
                continue; // fits into an empty one perhaps
            } finally {
                scratch.frame.end();
                scratch.leave();
                gathering.leave();
            }
            engine.ring(); // somebody has to look after it
            return SENT;
        }
        return TOO_LONG;
    }

    /** Sends what this thread has gathered. */
    private int ship(Gathering gathering, long deadline, boolean mayWait) {
        Turn turn = null;
        while (true) {
            gathering.enter();
            int result;
            try {
                result = shipInside(gathering);
            } finally {
                gathering.leave();
            }
            if (result != BLOCKED || !mayWait) {
                return result;
            }
            if (turn == null) {
                turn = turn(deadline);
            }
            turn.await(); // outside, so that whoever polls can send it as well
        }
    }

    private int shipInside(Gathering gathering) {
        int count = gathering.messages();
        if (count == 0) {
            return SENT;
        }
        int cost = gathering.cost();
        // what was gathered before this side left is still to be sent
        int granted = credit.take(cost, count, false, leaving);
        if (granted != Credit.GRANTED) {
            return granted == Credit.CLOSED ? CLOSED : BLOCKED;
        }
        long claim = channel.claim(gathering.length());
        if (claim < 0) {
            credit.giveBack(cost, count);
            return claim == Channel.BACK_PRESSURE ? BLOCKED : CLOSED;
        }
        gathering.copyTo(channel.memory(), Channel.offset(claim));
        channel.commit(claim, gathering.length());
        gathering.clear();
        flush(false);
        return SENT;
    }

    /**
     * Sends what threads have gathered and do not add to any more; by the polling thread.
     *
     * @return whether there is anything that waits for no room but for time, or was sent
     */
    private boolean shipStale() {
        Gathering[] all = gatherings;
        if (all.length == 0) {
            return false;
        }
        boolean busy = false;
        long now = System.nanoTime();
        for (Gathering each : all) {
            if (each.isStale(now, STALE_NANOS)) {
                busy |= ship(each) == SENT;
            } else if (each.messages() > 0) {
                busy = true;
            } else if (each.isUnused(now, UNUSED_NANOS)) {
                forget(each);
            }
        }
        return busy;
    }

    /** By any thread but its own. */
    private int ship(Gathering gathering) {
        synchronized (gathering) {
            if (!gathering.seize(false)) {
                return SENT; // its thread is at it
            }
            try {
                return shipInside(gathering);
            } finally {
                gathering.yieldBack();
            }
        }
    }

    /** Its thread does not send any more, or has ended. */
    private void forget(Gathering gathering) {
        synchronized (gathering) {
            if (!gathering.seize(false)) {
                return;
            }
            try {
                if (gathering.messages() > 0) {
                    return;
                }
                gathering.close();
            } finally {
                gathering.yieldBack();
            }
        }
        synchronized (this) {
            gatherings =
                    Arrays.stream(gatherings).filter(each -> each != gathering).toArray(Gathering[]::new);
        }
    }

    /** Closes the gate to all but responses, and to what was gathered before. Any thread. */
    void leave() {
        leaving = true;
        credit.close();
    }

    /** Messages that were sent and have not taken a part of the window yet. */
    long gathered() {
        long messages = 0;
        for (Gathering each : gatherings) {
            messages += each.messages();
        }
        return messages;
    }

    /**
     * Gives up what was gathered, and gathers nothing any more; to be called when the gate is closed.
     *
     * @return number of messages that are not sent
     */
    long abandonGathered() {
        Gathering[] all;
        synchronized (this) { // none is made after this, for the gate is closed
            all = gatherings;
            gatherings = new Gathering[0];
        }
        long messages = 0;
        for (Gathering each : all) {
            synchronized (each) {
                boolean ignored = each.seize(true);
                messages += each.messages();
                each.close();
                each.yieldBack();
            }
        }
        return messages;
    }

    boolean isClosed() {
        return credit.isClosed();
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

    /** Says that this side has nothing left to send; false if there is no room at the moment. */
    boolean sayGoodbye() {
        long claim = channel.claim(Frames.HEADER_BYTES);
        if (claim < 0) {
            return claim == Channel.CLOSED;
        }
        channel.memory().set(LONG, Channel.offset(claim), Frames.header(Frames.GOODBYE, 0, 0));
        channel.commit(claim, Frames.HEADER_BYTES);
        channel.flush();
        return true;
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
