package org.galerna.messaging;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.galerna.messaging.Frames.LONG;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.galerna.link.Channel;

/**
 * The sending side of a connection. Any number of threads write their messages, each in a place of its own, claim space in
 * the channel for what they have written, copy it there and commit. Short messages of a thread that sends many are
 * {@linkplain Gathering gathered}, and take one claim together. What is longer than a frame goes in pieces, one object at a
 * time, and is written where it goes; responses have a way of their own for that, so that they need not wait for a message
 * that waits for the window.
 */
final class Outbound {
    static final int SENT = 0;

    /** The window is used up, or the ring is full. */
    static final int BLOCKED = 1;

    /** The connection is gone, or going. */
    static final int CLOSED = 2;

    /** For {@link #send}: as long as the configuration says, from the first wait on. */
    static final long USUAL_DEADLINE = 0;

    /** It cannot be gathered. */
    private static final int ALONE = 3;

    /** It is too long to be sent without waiting. */
    static final int TOO_LONG = 4;

    /** Longer than the longest sleep of whoever looks for room. */
    private static final long ROOM_SILENCE_NANOS = 200_000;

    /** What a thread that sends one long message after the other does between two. */
    private static final long PIECES_SILENCE_NANOS = 100_000;

    /** In UTF-8. */
    private static final int MOST_BYTES_OF_CHARACTER = 3;

    /** Of the length of a text. */
    private static final int TEXT_EXTRA_BYTES = 5;

    /** Of what a text that is cut says about that, at most. */
    private static final int CUT_CHARACTERS = 40;

    private final Engine engine;
    private final Channel channel;
    private final Credit credit;
    private final boolean writesOnFlush;
    private final int longestFrame;
    private final Gatherings gatherings;
    private final Line room = new Line(ROOM_SILENCE_NANOS);
    private final Line messagePieces = new Line(PIECES_SILENCE_NANOS);
    private final Line responsePieces = new Line(PIECES_SILENCE_NANOS);
    private final LongAdder blocked = new LongAdder();
    private final AtomicLong counted = new AtomicLong(System.nanoTime() - Integer.MAX_VALUE);
    private volatile boolean dirty;
    private volatile boolean closed;

    Outbound(Engine engine, Channel channel, Credit credit, boolean writesOnFlush, int longestFrame) {
        this.engine = engine;
        this.channel = channel;
        this.credit = credit;
        this.writesOnFlush = writesOnFlush;
        this.longestFrame = longestFrame;
        this.gatherings = new Gatherings(channel, credit, longestFrame);
    }

    long blockedSends() {
        return blocked.sum();
    }

    /** Notes the time at which one of the threads has sent some messages more. Returns that of the time before. */
    long count(long now) {
        return counted.getAndSet(now);
    }

    boolean isOf(Engine one) {
        return engine == one;
    }

    /**
     * Sends.
     *
     * @param scratch of the calling thread
     * @param kind {@link Frames#MESSAGE}, {@code REQUEST}, {@code RESPONSE} or {@code FAILURE}
     * @param deadline as of {@link System#nanoTime}, or {@link #USUAL_DEADLINE}
     * @param mayWait whether to wait for room
     * @return {@link #SENT}, {@link #CLOSED}, or {@link #BLOCKED} or {@link #TOO_LONG} if it may not wait
     */
    <T> int send(
            SendScratch scratch, MessageType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        scratch.beginSend(); // before anything is claimed
        Streak streak = scratch.streak(this);
        Gathering gathering = streak.gathering;
        if (gathering == null || !streak.gathers) {
            int result = sendAlone(scratch, type, kind, id, message, deadline, mayWait);
            if (kind == Frames.MESSAGE && result == SENT && streak.isFast()) {
                beginToGather(streak, type);
            }
            return result;
        }
        if (kind == Frames.MESSAGE && type.estimate() <= Gathering.LONGEST_MESSAGE) {
            int result = gather(streak, gathering, scratch, type, message, deadline, mayWait);
            if (result != ALONE) {
                return result;
            }
        }
        // what this thread has sent before goes first
        int result = ship(scratch, gathering, deadline, mayWait);
        return result == SENT ? sendAlone(scratch, type, kind, id, message, deadline, mayWait) : result;
    }

    /** Responses wait for the ring alone, and for nobody who waits for the window. */
    private Turn turn(SendScratch scratch, int kind, long deadline) {
        return scratch.turn(engine, end(deadline), this, kind >= Frames.RESPONSE ? null : room);
    }

    private long end(long deadline) {
        return deadline != USUAL_DEADLINE
                ? deadline
                : TimeLimit.deadline(engine.config().sendTimeout());
    }

    private <T> int sendAlone(
            SendScratch scratch, MessageType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        Turn turn = null;
        int length = 0;
        int write = -1;
        while (true) {
            if (scratch.writes() != write) { // at first, and when this thread has sent something else while it waited
                // one that is long as a rule is measured, which takes less than finding out what does not fit
                length = type.estimate() > longestFrame
                        ? SendScratch.TOO_LONG
                        : scratch.write(type, kind, id, message, longestFrame);
                if (length == SendScratch.TOO_LONG) {
                    long whole = Frames.headerBytes(kind) + scratch.measure(type, message);
                    type.learn((int) Math.min(whole, Integer.MAX_VALUE));
                    if (whole > longestFrame) {
                        return sendPieces(type, kind, id, message, whole, deadline, mayWait);
                    }
                    length = scratch.write(type, kind, id, message, longestFrame);
                    if (length == SendScratch.TOO_LONG) {
                        throw new IllegalStateException("a message of " + type + " grows while it is sent");
                    }
                }
                type.learn(length);
                write = scratch.writes();
            }
            if (kind == Frames.REQUEST) { // each time, for it may have waited
                Frames.setWord(scratch.bytes(), Frames.LIMIT_OFFSET, deadline - System.nanoTime());
            }
            int result = attempt(scratch.bytes(), kind, length);
            if (result == SENT) {
                flush(kind != Frames.MESSAGE);
                return SENT;
            }
            if (result == CLOSED || !mayWait) {
                return result;
            }
            if (turn == null) {
                turn = turn(scratch, kind, deadline);
            }
            turn.await();
        }
    }

    private int attempt(byte[] bytes, int kind, int length) {
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
        MemorySegment.copy(bytes, 0, channel.memory(), JAVA_BYTE, Channel.offset(claim), length);
        channel.commit(claim, length);
        return SENT;
    }

    /** Sets what was committed moving: at once, or with what others commit meanwhile. */
    private void flush(boolean now) {
        if (now || !writesOnFlush) {
            channel.flush();
        } else {
            if (!dirty) {
                dirty = true;
            }
            engine.lookAfter();
        }
    }

    /** Sends what has gathered and nobody adds to, and flushes; by the polling thread. */
    void tidy() {
        boolean shipped = gatherings.shipStale();
        if (dirty || shipped) {
            dirty = false;
            channel.flush();
        }
    }

    /** Whether there is something that only the polling thread will send. */
    boolean needsTidying() {
        return dirty || gatherings.messages() > 0;
    }

    /** A send has to wait. */
    void countBlocked() {
        blocked.increment();
    }

    /** For who waits for room. */
    void push() {
        dirty = false;
        channel.flush();
    }

    /** As much of a text as fits into one frame, whichever characters it has. */
    String cutToFrame(String text) {
        int most = (longestFrame - Frames.RESPONSE_HEADER_BYTES - TEXT_EXTRA_BYTES) / MOST_BYTES_OF_CHARACTER;
        return text.length() <= most ? text : Thrown.cut(text, most - CUT_CHARACTERS);
    }

    // ---- gathering

    private void beginToGather(Streak streak, MessageType<?> type) {
        if (type.estimate() > Gathering.LONGEST_MESSAGE) {
            return;
        }
        if (streak.gathering == null) {
            streak.gathering = gatherings.add();
        }
        streak.gathers = streak.gathering != null;
    }

    /** Returns {@link #ALONE} if the message is not gathered. */
    private <T> int gather(
            Streak streak,
            Gathering gathering,
            SendScratch scratch,
            MessageType<T> type,
            T message,
            long deadline,
            boolean mayWait) {
        if (gathering.isFull()) { // it could not be sent at once
            int shipped = ship(scratch, gathering, deadline, mayWait);
            if (shipped != SENT) {
                return shipped;
            }
        }
        int before;
        boolean shipped = false;
        gathering.enter();
        scratch.enter();
        try {
            if (gathering.isClosed() || gathering.hasRested() || gatherings.isLeaving()) {
                pause(streak, gathering);
                return ALONE;
            }
            before = gathering.add(type, message, scratch.exporter);
            if (gathering.isFull()) {
                shipped = gatherings.shipInside(gathering) == SENT;
            }
        } catch (SendScratch.Full full) {
            scratch.exporter.end();
            if (full != scratch.full) {
                throw full;
            }
            return ALONE;
        } catch (RuntimeException | Error failed) {
            scratch.exporter.end();
            throw failed;
        } finally {
            scratch.leave();
            gathering.leave();
        }
        if (shipped) {
            flush(false);
        } else if (before == 0) {
            engine.lookAfter(); // somebody has to
        }
        return SENT;
    }

    private static void pause(Streak streak, Gathering gathering) {
        streak.restart();
        if (gathering.isClosed()) {
            streak.gathering = null;
        }
    }

    /** Sends what this thread has gathered. */
    private int ship(SendScratch scratch, Gathering gathering, long deadline, boolean mayWait) {
        Turn turn = null;
        while (true) {
            if (gathering.messages() == 0) {
                return SENT;
            }
            int result = gatherings.ship(gathering);
            if (result == SENT) {
                flush(false);
            }
            if (result != BLOCKED || !mayWait) {
                return result;
            }
            if (turn == null) {
                turn = turn(scratch, Frames.MESSAGE, deadline);
            }
            turn.await(); // outside, so that whoever polls can send it as well
        }
    }

    /** Sends what a thread has gathered, and sets everything moving; by that thread. */
    void flush(SendScratch scratch, Streak streak) {
        Gathering gathering = streak.gathering;
        if (gathering == null || ship(scratch, gathering, USUAL_DEADLINE, true) != CLOSED) {
            flush(true);
        }
    }

    /** Closes the gate to all but responses, and to what was gathered before. Any thread. */
    void pause() {
        gatherings.leave();
        credit.close();
    }

    /** As {@link #pause}, for good: whoever waits for room need not. */
    void end() {
        pause();
        room.disperse();
    }

    /** Opens the gate again. */
    void resume() {
        credit.open(); // who gathers again can send it
        gatherings.stay();
    }

    /**
     * After {@link #pause}: whether everything that was sent was handled. What was gathered is looked for first, for it is
     * counted before it is taken out.
     */
    boolean isQuiet() {
        return gatherings.isEmpty() && credit.inDoubt() == 0;
    }

    /** Lets nothing through any more but responses. */
    void close() {
        closed = true;
        credit.close();
        room.disperse();
    }

    /** Messages that were sent and have not taken a part of the window yet. */
    long gathered() {
        return gatherings.messages();
    }

    /** See {@link Gatherings#abandon}. */
    long abandonGathered() {
        return gatherings.abandon();
    }

    boolean isClosed() {
        return closed;
    }

    // ---- pieces

    private <T> int sendPieces(
            MessageType<T> type, int kind, long id, T message, long length, long deadline, boolean mayWait) {
        engine.checkLength(type, length);
        if (!mayWait) {
            return TOO_LONG;
        }
        long end = end(deadline);
        SendScratch.ofThread().giveUpAdvance();
        boolean response = kind >= Frames.RESPONSE;
        Line way = response ? responsePieces : messagePieces;
        Turn turn = new Turn();
        turn.begin(engine, end, this, response ? null : room, true);
        if (way.isOccupiedByCaller()) {
            throw new IllegalStateException("a serializer must not send");
        }
        if (!way.enter(true, end)) {
            throw Turn.late();
        }
        try {
            PieceWriter writer =
                    new PieceWriter(channel, credit, longestFrame, turn, response, response ? Frames.OF_RESPONSE : 0);
            boolean sent = writer.write(type, kind, id, message, length, end);
            channel.flush();
            return sent ? SENT : CLOSED;
        } finally {
            room.leave(); // the next one will need room as well
            way.vacate();
        }
    }

    /** Sends a frame that is nothing but a kind; false if there is no room at the moment. */
    boolean say(int kind) {
        long claim = channel.claim(Frames.HEADER_BYTES);
        if (claim < 0) {
            return claim == Channel.CLOSED;
        }
        channel.memory().set(LONG, Channel.offset(claim), Frames.header(kind, 0, 0));
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
        if (writesOnFlush) {
            dirty = true;
        }
        // not flushed where that only wakes the peer: who waits for room looks by himself
        return true;
    }
}
