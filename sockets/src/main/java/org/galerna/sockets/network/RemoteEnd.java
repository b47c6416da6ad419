package org.galerna.sockets.network;

import static org.galerna.sockets.pipe.PipeLayout.INTS;
import static org.galerna.sockets.pipe.PipeLayout.LONGS;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.memory.ByteRing;
import org.galerna.memory.ByteRingConsumer;
import org.galerna.memory.ByteRingProducer;
import org.galerna.nativeaccess.thread.Futex;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.PipeLayout;
import org.galerna.sockets.pipe.PipeMemory;
import org.galerna.sockets.pipe.Remote;
import org.galerna.sockets.pipe.Waiter;
import org.galerna.sockets.pipe.WakeupFd;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a pipe whose ends are in processes that share no memory, as it looks from here: in the pipe's memory, which
 * is of this process alone, it does what a process at the other end would do. What this end changes there it tells the
 * other process ({@link #push}), and what that one tells it does here ({@link #handle}).
 *
 * <p><b>Flow.</b> No more bytes are sent than the other end has room for in its ring, so that whatever comes is put away at
 * once, and a connection that nobody reads from holds up no other one. The other end says how many bytes were read each time
 * a quarter of its ring is free again.
 *
 * <p><b>Threads.</b> One thread at a time pushes. If another thread is pushing, a thread sets {@code asked} and goes; the one
 * that pushes looks at {@code asked} after it has released the lock, and pushes again. So one of the two always sees the other.
 * The thread that polls the link handles what comes. What one of them counts and the other one needs is volatile, and written
 * after what it stands for.
 *
 * <p><b>The turn.</b> The number of bytes that go over TCP, and the byte that marks the place, come on different ways. So the
 * mark is sent only when the other end says that it knows the number; what follows it in the stream need not wait for that.
 */
public final class RemoteEnd implements Remote {
    private static final long LONGEST_TURN_NANOS = 2_000_000_000L;
    private static final long PAUSE_NANOS = 20_000;

    private final LinkConnection connection;
    private final LinkWriter writer;
    private final int id;
    private final PipeMemory memory;
    private final Futex futex = Futex.instance().orElseThrow();
    private final MemorySegment out; // the words of what this end sends
    private final MemorySegment in;
    private final ByteRingConsumer source; // of the thread that pushes, as the next ones
    private final int plentyOfRoom;
    private final ReentrantLock pushing = new ReentrantLock();
    private long sent;
    private final ToldFact read = new ToldFact(LinkMessage.READ, 0);
    private final ToldFact ended = new ToldFact(LinkMessage.END, PipeLayout.OPEN);
    private final ToldFact receiving = new ToldFact(LinkMessage.RECEIVING, PipeLayout.READS);
    private final ToldFact urgentInline = new ToldFact(LinkMessage.URGENT_INLINE, 0);
    private final ToldFact turned = new ToldFact(LinkMessage.TURN, -1);
    private final ToldFact spilled = new ToldFact(LinkMessage.SPILLED, 0);
    private final ToldFact spillRead = new ToldFact(LinkMessage.SPILL_READ, 0);

    private final ByteRingProducer sink; // of the thread that polls, as the next one
    private final int quarter;
    private long arrived;

    private volatile @Nullable Pipe pipe;
    private volatile boolean asked; // to push
    private volatile int room; // of the other end's ring; 0 while it has not agreed
    private volatile long taken; // bytes that were read there
    private volatile long all; // bytes that were sent; read by the thread that polls
    private final Taking taking = new Taking();
    private final Decisions decisions = new Decisions();
    private final Turn turn = new Turn(); // of what this end sends
    private final AtomicBoolean stalls = new AtomicBoolean();

    /**
     * The other end of a pipe.
     *
     * @param outgoing the direction that this process sends in
     */
    public RemoteEnd(LinkConnection connection, int id, PipeMemory memory, int outgoing) {
        this.connection = connection;
        this.writer = connection.writer();
        this.id = id;
        this.memory = memory;
        int incoming = PipeLayout.FORTH + PipeLayout.BACK - outgoing;
        this.out = memory.direction(outgoing);
        this.in = memory.direction(incoming);
        this.source = new ByteRingConsumer(out, memory.data(outgoing), Pipe.STEP);
        this.sink = new ByteRingProducer(in, memory.data(incoming), Pipe.STEP);
        this.plentyOfRoom = Pipe.plentyOfRoom(memory.data(outgoing));
        this.quarter = memory.ringBytes() / 4;
    }

    public int id() {
        return id;
    }

    @Override
    public LinkConnection link() {
        return connection;
    }

    public PipeMemory memory() {
        return memory;
    }

    public void belongsTo(Pipe made) {
        pipe = made;
    }

    public @Nullable Pipe pipe() {
        return pipe;
    }

    // ---- what this end has to say

    /** The other end has offered the pipe, and has so much room. */
    public void offered(int roomThere) {
        room = roomThere;
    }

    @Override
    public void agree() {
        decisions.agree();
        push();
    }

    /** This end waits for the link to take more; false if it does already. */
    public boolean stalls() {
        return stalls.compareAndSet(false, true);
    }

    /** The link may take more. */
    public void retry() {
        stalls.set(false);
        push();
    }

    /** This end has offered the pipe, and is closed. */
    public void withdraw() {
        decisions.withdraw();
        push();
    }

    @Override
    public void push() {
        asked = true;
        while (asked && pushing.tryLock()) {
            try {
                asked = false;
                if (!taking.isGone() && !tell()) {
                    connection.stalled(this);
                }
            } finally {
                pushing.unlock();
            }
        }
    }

    @Override
    public void pushRead() {
        if (ByteRing.taken(in) - read.last() >= quarter) { // of an earlier moment at worst: the next reader looks again
            push();
        }
    }

    /** Returns false if the link does not take any more at present. */
    private boolean tell() {
        // before the last look at the bytes that come before them
        int end = (int) INTS.getAcquire(out, PipeLayout.END);
        long overTcp = (long) LONGS.getAcquire(out, PipeLayout.SPILLED);
        boolean told = decisions.tell(writer, id, memory.ringBytes())
                && turned.tell(writer, id, (long) LONGS.getAcquire(out, PipeLayout.SWITCHED) - 1)
                && tellBytes()
                && tellSpilled(overTcp)
                && tellState(end);
        writer.flush();
        return told;
    }

    private boolean tellUrgentInline() {
        boolean wanted = (int) INTS.getAcquire(in, PipeLayout.URGENT_INLINE) != 0;
        return urgentInline.tell(writer, id, wanted ? 1 : 0);
    }

    private boolean tellBytes() {
        while (isWanted()) {
            int count = Math.min(source.available(), (int) (room - (sent - taken)));
            count = Math.min(count, writer.mostBytes());
            if (count <= 0) {
                return true;
            }
            // after the look at the bytes: the other end hears first what was set before they were written
            if (!tellUrgentInline() || !writer.send(id, sent, source, count)) {
                return false;
            }
            sent += count;
            all = sent;
            if (source.room() >= plentyOfRoom) {
                wake(out, PipeLayout.ROOM_WORD, Pipe.SENDER);
            }
        }
        return true;
    }

    /** Whether the other end still takes bytes. */
    private boolean isWanted() {
        return room > 0 && (int) INTS.getAcquire(out, PipeLayout.RECEIVING) == PipeLayout.READS;
    }

    /** Behind all bytes that were in the ring before. */
    private boolean tellSpilled(long overTcp) {
        return (source.available() != 0 || spilled.tell(writer, id, overTcp))
                && spillRead.tell(writer, id, (long) LONGS.getAcquire(in, PipeLayout.SPILL_READ));
    }

    private boolean tellState(int end) {
        // an end in order comes after all bytes, a reset when it happens
        boolean ends = end == PipeLayout.RESET || !isWanted() || source.available() == 0;
        if ((ends && !ended.tell(writer, id, end))
                || !receiving.tell(writer, id, (int) INTS.getAcquire(in, PipeLayout.RECEIVING))
                || !tellUrgentInline()) {
            return false;
        }
        long here = ByteRing.taken(in);
        return here - read.last() < quarter || read.tell(writer, id, here);
    }

    /** Whether everything that this end has written is on its way, or nobody wants it. */
    public boolean isEmpty() {
        boolean told = ByteRing.isEmpty(out) && (long) LONGS.getAcquire(out, PipeLayout.SPILLED) == spilled.last();
        return taking.isGone() || room == 0 || told || (int) INTS.getAcquire(out, PipeLayout.RECEIVING) != 0;
    }

    /** Whether the other end knows all there is to know of this one, which is closed. */
    public boolean isDone() {
        pushing.lock();
        try {
            return taking.isGone()
                    || (!decisions.withdraws()
                            && (!turn.isUnknown() || !taking.takes())
                            && (room == 0
                                    || (ended.last() != PipeLayout.OPEN && receiving.last() == PipeLayout.CLOSED)));
        } finally {
            pushing.unlock();
        }
    }

    /** Nothing of this is told any more; to be called before the memory is freed. */
    public void end() {
        pushing.lock(); // so that nobody is at it
        try {
            taking.go();
        } finally {
            pushing.unlock();
        }
    }

    // ---- the turn

    @Override
    public void turn(Runnable whenKnown) {
        turn.begin(whenKnown);
    }

    @Override
    public void marked() {
        turn.marked();
    }

    @Override
    public boolean isMarked() {
        return turn.isMarked();
    }

    /**
     * Waits until the other end knows where this one has turned to the pipe, if it has: an end of TCP that came before would
     * pass for that of the stream. That takes as long as one message there and back, and hardly ever happens.
     */
    @Override
    public void awaitTurnIsKnown() {
        long start = System.nanoTime();
        while (turn.isUnknown() && taking.takes() && System.nanoTime() - start < LONGEST_TURN_NANOS) {
            if (!connection.progress()) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
    }

    // ---- what the other end says; the thread that polls

    /**
     * Does what the other end says.
     *
     * @return what is wrong with it; null if nothing is
     */
    public @Nullable String handle(int kind, long value) {
        switch (kind) {
            case LinkMessage.ACCEPT -> {
                if (room != 0 || value < Settings.LEAST_RING || value > Settings.MOST_RING) {
                    return "an agreement that cannot be";
                }
                room = (int) value; // first: who finds the pipe accepted writes to it, and nobody pushes that again
                room = memory.decide(PipeLayout.ACCEPTED) ? (int) value : 0;
            }
            case LinkMessage.WITHDRAW, LinkMessage.RECEIVING -> {
                long state = kind == LinkMessage.WITHDRAW ? PipeLayout.CLOSED : value;
                if (state != PipeLayout.DISCARDS && state != PipeLayout.CLOSED) {
                    return "it takes bytes in a way that cannot be";
                }
                int before = (int) INTS.getAcquire(out, PipeLayout.RECEIVING);
                INTS.setRelease(out, PipeLayout.RECEIVING, Math.max(before, (int) state)); // never opens again
                taking.refuse();
                wake(out, PipeLayout.ROOM_WORD, Pipe.SENDER);
                push();
            }
            case LinkMessage.TURN -> {
                if (value < 0 || (long) LONGS.getAcquire(in, PipeLayout.SWITCHED) != 0) {
                    return "a turn that cannot be";
                }
                LONGS.setRelease(in, PipeLayout.SWITCHED, value + 1);
                decisions.knowTurn();
                push();
            }
            case LinkMessage.TURN_KNOWN -> {
                Runnable action = turn.known();
                if (action == null) {
                    return "it knows of a turn that was not made";
                }
                connection.execute(action);
            }
            case LinkMessage.READ -> {
                if (value < taken || value > all) {
                    return "it has read what was not sent";
                }
                taken = value;
                push();
            }
            case LinkMessage.SPILLED -> {
                if (value < (long) LONGS.getAcquire(in, PipeLayout.SPILLED)) {
                    return "it takes back bytes that went over TCP";
                }
                LONGS.setRelease(in, PipeLayout.SPILLED, value);
                wake(in, PipeLayout.BYTES_WORD, Pipe.RECEIVER);
            }
            case LinkMessage.SPILL_READ -> {
                if (value < (long) LONGS.getAcquire(out, PipeLayout.SPILL_READ)
                        || value > (long) LONGS.getAcquire(out, PipeLayout.SPILLED)) {
                    return "it has read what did not go over TCP";
                }
                LONGS.setRelease(out, PipeLayout.SPILL_READ, value);
                wake(out, PipeLayout.ROOM_WORD, Pipe.SENDER);
            }
            case LinkMessage.END -> {
                INTS.compareAndSet(in, PipeLayout.END, PipeLayout.OPEN, (int) value);
                wake(in, PipeLayout.BYTES_WORD, Pipe.RECEIVER);
            }
            default -> INTS.setRelease(out, PipeLayout.URGENT_INLINE, (int) value);
        }
        return null;
    }

    /** Puts bytes away that have come; returns what is wrong with them, null if nothing is. */
    public @Nullable String take(long before, MemorySegment frame, long offset, int length) {
        if (before != arrived || (long) LONGS.getAcquire(in, PipeLayout.SWITCHED) == 0) {
            return "bytes that do not follow the last ones";
        }
        if (sink.space() < length) {
            return "more bytes than there is room for";
        }
        for (int done = 0; done < length; ) {
            done += sink.write(frame, offset + done, length - done);
        }
        arrived += length;
        wake(in, PipeLayout.BYTES_WORD, Pipe.RECEIVER);
        return null;
    }

    /** Wakes what waits in this process, as the other end would. */
    private void wake(MemorySegment words, long word, int direction) {
        int sleep = Waiter.wakePeer(futex, words, word);
        Pipe waiting = pipe;
        if (sleep >= Waiter.PARKED && waiting != null) {
            if (sleep != Waiter.LISTENS || !WakeupFd.ring((int) INTS.getOpaque(words, word + Waiter.BELL))) {
                waiting.unpark(direction);
            }
        }
    }

    /**
     * The other process has gone, or cannot be reached any more.
     *
     * @param order whether it has said so; otherwise nobody knows what of its bytes is missing
     */
    public void lost(boolean order) {
        boolean offered = memory.decide(PipeLayout.WITHDRAWN); // then nothing has gone this way: TCP goes on
        if (!offered && !order) {
            INTS.compareAndSet(in, PipeLayout.END, PipeLayout.OPEN, PipeLayout.RESET);
        }
        end();
        Pipe lost = pipe;
        if (lost != null) {
            lost.peerHasGone();
        }
    }
}
