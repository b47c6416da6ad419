package org.galerna.messaging.outbound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;
import org.galerna.link.Channel;
import org.galerna.messaging.coalescing.Coalescer;
import org.galerna.messaging.coalescing.Coalescers;
import org.galerna.messaging.coalescing.RateGate;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.flow.SendResult;
import org.galerna.messaging.support.ThrownText;
import org.galerna.messaging.waiting.WaitLine;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.WireType;

/**
 * The sending side of a connection. Any number of threads write their messages, each in a place of its own, claim space in
 * the channel for what they have written, copy it there and commit. Short messages of a thread that sends many are
 * {@linkplain Coalescer gathered}, and take one claim together. What is longer than a frame goes in pieces, one object at a
 * time, and is written where it goes; responses have a way of their own for that, so that they need not wait for a message
 * that waits for the window.
 */
public final class Outbound implements SendScratch.Destination {
    /** For {@link #send}: as long as the configuration says, from the first wait on. */
    public static final long USUAL_DEADLINE = 0;

    /** Longer than the longest sleep of a thread that looks for room. */
    private static final long ROOM_SILENCE_NANOS = 200_000;

    /** In UTF-8. */
    private static final int MOST_BYTES_OF_CHARACTER = 3;

    /** Of the length of a text. */
    private static final int TEXT_EXTRA_BYTES = 5;

    /** Of what a text that is cut says about that, at most. */
    private static final int CUT_CHARACTERS = 40;

    private final SendContext context;
    private final Channel channel;
    private final Credit credit;
    private final boolean writesOnFlush;
    private final int longestFrame;
    private final Coalescers coalescers;
    private final WaitLine room = new WaitLine(ROOM_SILENCE_NANOS);
    private final PieceSender pieces;
    private final LongAdder blocked = new LongAdder();
    private final LongAdder waited = new LongAdder();
    private volatile boolean dirty;
    private volatile boolean closed;

    /**
     * The sending side of a connection over which nothing was sent yet.
     *
     * @param longestMessage bytes of a message that the other side takes, at most
     */
    public Outbound(
            SendContext context,
            Channel channel,
            Credit credit,
            boolean writesOnFlush,
            int longestFrame,
            long longestMessage) {
        this.context = context;
        this.channel = channel;
        this.credit = credit;
        this.writesOnFlush = writesOnFlush;
        this.longestFrame = longestFrame;
        this.coalescers = new Coalescers(channel, credit, longestFrame);
        this.pieces = new PieceSender(context, channel, credit, longestFrame, longestMessage, this, room);
    }

    public long blockedSends() {
        return blocked.sum();
    }

    /** For a thread that has not sent to this connection yet. */
    @Override
    public RateGate newGate() {
        return new RateGate(coalescers);
    }

    /** Whether it is of that node. */
    @Override
    public boolean isOf(SendContext one) {
        return context == one;
    }

    /**
     * Sends.
     *
     * @param scratch of the calling thread
     * @param kind {@link Frames#MESSAGE}, {@code REQUEST}, {@code RESPONSE} or {@code FAILURE}
     * @param deadline as of {@link System#nanoTime}, or {@link #USUAL_DEADLINE}
     * @param mayWait whether to wait for room
     * @return {@link SendResult#SENT}, {@link SendResult#CLOSED}, or {@link SendResult#BLOCKED} or {@link SendResult#TOO_LONG} if it may not wait
     */
    public <T> int send(
            SendScratch scratch, WireType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        scratch.beginSend(); // before anything is claimed
        RateGate gate = scratch.gate(this);
        Coalescer coalescer = gate.coalescer();
        if (coalescer == null || !gate.isOpen()) {
            int result = sendAlone(scratch, type, kind, id, message, deadline, mayWait);
            if (kind == Frames.MESSAGE && result == SendResult.SENT && gate.isFast()) {
                beginToGather(gate, type);
            }
            return result;
        }
        if (kind == Frames.MESSAGE && type.estimate() <= Coalescer.LONGEST_MESSAGE) {
            int result = gather(gate, coalescer, scratch, type, message, deadline, mayWait);
            if (result != SendResult.ALONE) {
                return result;
            }
        }
        // what this thread has sent before goes first
        int result = ship(scratch, coalescer, deadline, mayWait);
        return result == SendResult.SENT ? sendAlone(scratch, type, kind, id, message, deadline, mayWait) : result;
    }

    /** Responses wait for the ring alone, and not for threads that wait for the window. */
    private RoomWait roomWait(SendScratch scratch, int kind, long deadline) {
        return scratch.wait(context, end(deadline), this, kind >= Frames.RESPONSE ? null : room);
    }

    private long end(long deadline) {
        return deadline != USUAL_DEADLINE ? deadline : context.usualDeadline();
    }

    private <T> int sendAlone(
            SendScratch scratch, WireType<T> type, int kind, long id, T message, long deadline, boolean mayWait) {
        RoomWait wait = null;
        int length = 0;
        int write = -1;
        while (true) {
            if (scratch.writes() != write) { // at first, and when this thread has sent something else while it waited
                // one that is long as a rule is measured, which takes less than finding out what does not fit
                length = type.estimate() > longestFrame
                        ? SendScratch.TOO_LONG
                        : scratch.write(type, kind, id, message, longestFrame);
                if (length == SendScratch.TOO_LONG) {
                    long whole = Frames.headerBytes(kind) + scratch.measure(context, type, message);
                    type.learn((int) Math.min(whole, Integer.MAX_VALUE));
                    if (whole > longestFrame) {
                        pieces.checkLength(type, whole);
                        return mayWait
                                ? pieces.send(type, kind, id, message, whole, end(deadline))
                                : SendResult.TOO_LONG;
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
            if (result == SendResult.SENT) {
                flush(kind != Frames.MESSAGE);
                scratch.countSent(context, type, Credit.cost(length));
                return SendResult.SENT;
            }
            if (result == SendResult.CLOSED || !mayWait) {
                return result;
            }
            if (wait == null) {
                wait = roomWait(scratch, kind, deadline);
            }
            wait.await();
        }
    }

    private int attempt(byte[] bytes, int kind, int length) {
        int cost = Credit.cost(length);
        int granted = credit.take(cost, 1, kind >= Frames.RESPONSE, kind >= Frames.RESPONSE);
        if (granted != Credit.GRANTED) {
            return granted == Credit.CLOSED ? SendResult.CLOSED : SendResult.BLOCKED;
        }
        long claim = channel.claim(length);
        if (claim < 0) {
            credit.giveBack(cost, 1);
            if (claim != Channel.BACK_PRESSURE) {
                return SendResult.CLOSED;
            }
            channel.flush();
            return SendResult.BLOCKED;
        }
        MemorySegment.copy(bytes, 0, channel.memory(), JAVA_BYTE, Channel.offset(claim), length);
        channel.commit(claim, length);
        return SendResult.SENT;
    }

    /** Sets what was committed moving: at once, or with what others commit meanwhile. */
    private void flush(boolean now) {
        if (now || !writesOnFlush) {
            channel.flush();
        } else {
            if (!dirty) {
                dirty = true;
            }
            context.handlers().lookAfter();
        }
    }

    /** Sends what has gathered and nobody adds to, and flushes; by the polling thread. */
    public void tidy() {
        boolean shipped = coalescers.shipStale();
        if (dirty || shipped) {
            dirty = false;
            channel.flush();
        }
    }

    /** Whether there is something that only the polling thread will send. */
    public boolean needsTidying() {
        return dirty || coalescers.messages() > 0;
    }

    /** A send has to wait. */
    @Override
    public void countBlocked() {
        blocked.increment();
    }

    /** A send has waited. */
    @Override
    public void countWaited(long nanos) {
        waited.add(nanos);
    }

    /** How long sends have waited for room, all together. */
    public long waitedNanos() {
        return waited.sum();
    }

    @Override
    public void push() {
        dirty = false;
        channel.flush();
    }

    /** As much of a text as fits into one frame, whichever characters it has. */
    public String cutToFrame(String text) {
        int most = (longestFrame - Frames.RESPONSE_HEADER_BYTES - TEXT_EXTRA_BYTES) / MOST_BYTES_OF_CHARACTER;
        return text.length() <= most ? text : ThrownText.cut(text, most - CUT_CHARACTERS);
    }

    // ---- gathering

    private static void beginToGather(RateGate gate, WireType<?> type) {
        if (type.estimate() <= Coalescer.LONGEST_MESSAGE) {
            gate.open();
        }
    }

    /** Returns {@link SendResult#ALONE} if the message is not gathered. */
    private <T> int gather(
            RateGate gate,
            Coalescer coalescer,
            SendScratch scratch,
            WireType<T> type,
            T message,
            long deadline,
            boolean mayWait) {
        if (coalescer.isFull()) { // it could not be sent at once
            int shipped = ship(scratch, coalescer, deadline, mayWait);
            if (shipped != SendResult.SENT) {
                return shipped;
            }
        }
        int before;
        boolean shipped = false;
        coalescer.enter();
        scratch.enter();
        try {
            if (coalescer.isClosed() || coalescer.hasRested() || coalescers.isLeaving()) {
                pause(gate, coalescer);
                return SendResult.ALONE;
            }
            before = coalescer.add(type, message, scratch.exporter);
            scratch.countSent(context, type, Credit.cost(Frames.HEADER_BYTES + scratch.exporter.written()));
            if (coalescer.isFull()) {
                shipped = coalescers.shipInside(coalescer) == SendResult.SENT;
            }
        } catch (SendScratch.Full full) {
            scratch.exporter.end();
            if (full != scratch.full) {
                throw full;
            }
            return SendResult.ALONE;
        } catch (RuntimeException | Error failed) {
            scratch.exporter.end();
            throw failed;
        } finally {
            scratch.leave();
            coalescer.leave();
        }
        if (shipped) {
            flush(false);
        } else if (before == 0) {
            context.handlers().lookAfter(); // somebody has to
        }
        return SendResult.SENT;
    }

    private static void pause(RateGate gate, Coalescer coalescer) {
        if (coalescer.isClosed()) {
            gate.closeForGood();
        } else {
            gate.close();
        }
    }

    /** Sends what this thread has gathered. */
    private int ship(SendScratch scratch, Coalescer coalescer, long deadline, boolean mayWait) {
        RoomWait wait = null;
        while (true) {
            if (coalescer.messages() == 0) {
                return SendResult.SENT;
            }
            int result = coalescers.ship(coalescer);
            if (result == SendResult.SENT) {
                flush(false);
            }
            if (result != SendResult.BLOCKED || !mayWait) {
                return result;
            }
            if (wait == null) {
                wait = roomWait(scratch, Frames.MESSAGE, deadline);
            }
            wait.await(); // outside, so that the polling thread can send it as well
        }
    }

    /** Sends what a thread has gathered, and sets everything moving; by that thread. */
    @Override
    public void flush(SendScratch scratch, RateGate gate) {
        Coalescer coalescer = gate.coalescer();
        if (coalescer == null || ship(scratch, coalescer, USUAL_DEADLINE, true) != SendResult.CLOSED) {
            flush(true);
        }
    }

    /** Closes the gate to all but responses, and to what was gathered before. Any thread. */
    public void pause() {
        coalescers.leave();
        credit.close();
    }

    /** As {@link #pause}, for good: threads that wait for room go on. */
    public void end() {
        pause();
        room.disperse();
    }

    /** Opens the gate again. */
    public void resume() {
        credit.open(); // before the next line: what is gathered after it can be sent
        coalescers.stay();
    }

    /**
     * After {@link #pause}: whether everything that was sent was handled. What was gathered is looked for first, for it is
     * counted before it is taken out.
     */
    public boolean isQuiet() {
        return coalescers.isEmpty() && credit.inDoubt() == 0;
    }

    /** Lets nothing through any more but responses. */
    public void close() {
        closed = true;
        credit.close();
        room.disperse();
    }

    /** Messages that were sent and have not taken a part of the window yet. */
    public long gathered() {
        return coalescers.messages();
    }

    /** See {@link Coalescers#abandon}. */
    public long abandonGathered() {
        return coalescers.abandon();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    // ---- notices

    /** Sends a frame that is nothing but a kind; false if there is no room at the moment. */
    public boolean say(int kind) {
        return Notices.say(channel, kind);
    }

    /**
     * Says how much was processed; false if there is no room at the moment. It is not flushed where that only wakes the peer: a
     * thread that waits for room looks by itself.
     */
    public boolean confirm(int messages, int bytes) {
        boolean said = Notices.confirm(channel, messages, bytes);
        if (said && writesOnFlush) {
            dirty = true;
        }
        return said;
    }
}
