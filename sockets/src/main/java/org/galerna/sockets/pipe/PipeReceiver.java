package org.galerna.sockets.pipe;

import static org.galerna.sockets.pipe.PipeLayout.INTS;
import static org.galerna.sockets.pipe.PipeLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.galerna.memory.ByteRing;
import org.galerna.memory.ByteRingConsumer;
import org.galerna.memory.RingViolationException;
import org.galerna.nativeaccess.thread.Futex;

/**
 * The end of a {@link Pipe} that bytes come out of. One thread at a time reads, which its owner sees to; the other methods
 * may be called by any thread.
 */
public final class PipeReceiver implements WaitCondition {
    /** Instead of a number of bytes: what follows went over TCP ({@link #spilled}). */
    public static final int SPILLED = -2;

    private final Pipe pipe;
    private final MemorySegment memory;
    private final ByteRingConsumer ring;
    private final int plentyOfRoom;
    private final Waiter waiter;
    private final Futex futex = Futex.instance().orElseThrow();
    private volatile boolean ended;
    private long spillTaken; // of the reading thread, as the next ones
    private long taken;
    private long reads;
    private long wakes; // calls of the system by which the other end was woken; racy

    public PipeReceiver(Pipe pipe, MemorySegment memory, MemorySegment data) {
        this.pipe = pipe;
        this.memory = memory;
        this.ring = new ByteRingConsumer(memory, data, Pipe.STEP);
        this.plentyOfRoom = Pipe.plentyOfRoom(data);
        this.waiter = new Waiter(memory, PipeLayout.BYTES_WORD, PipeLayout.RECEIVER_CPU, PipeLayout.SENDER_CPU, this);
    }

    /** Number of bytes that came over TCP before the sender turned to the pipe; negative if it has not. */
    public long switchedAt() {
        return (long) LONGS.getAcquire(memory, PipeLayout.SWITCHED) - 1;
    }

    /** How the sender has ended the stream, if it has. */
    public int end() {
        return (int) INTS.getAcquire(memory, PipeLayout.END);
    }

    /**
     * Reads what is there; waits if there is nothing.
     *
     * @param deadline as of {@link System#nanoTime}, or {@link Waiter#NEVER}; {@link Waiter#AT_ONCE} does not wait
     * @return number of bytes; 0 if there are none and it was not to wait; -1 at the end of the stream; {@link #SPILLED}
     * @throws SocketTimeoutException if the time is over
     * @throws SocketException if the connection was reset, or this end was closed meanwhile
     */
    public int read(byte[] target, int offset, int length, long deadline) throws IOException {
        try {
            int state = await(deadline);
            if (state <= 0) {
                return state;
            }
            int count = ring.read(target, offset, length);
            taken += count;
            reads++;
            tellSender();
            return count;
        } catch (RingViolationException damaged) {
            throw pipe.damaged(damaged);
        }
    }

    /** As {@link #read(byte[], int, int, long)}, into any memory. */
    public int read(MemorySegment target, long offset, long length, long deadline) throws IOException {
        try {
            int state = await(deadline);
            if (state <= 0) {
                return state;
            }
            int count = ring.read(target, offset, length);
            taken += count;
            reads++;
            tellSender();
            return count;
        } catch (RingViolationException damaged) {
            throw pipe.damaged(damaged);
        }
    }

    /** Returns 1 when there are bytes, otherwise what {@link #read(byte[], int, int, long)} does. */
    private int await(long deadline) throws IOException {
        while (true) {
            if (pipe.isClosed()) {
                throw new SocketException("Socket closed");
            }
            if (ended) {
                return -1;
            }
            if (ring.available() > 0 || (pipe.progress() && ring.available() > 0)) {
                return 1;
            }
            if (spilled() > 0) {
                return ring.available() > 0 ? 1 : SPILLED; // what came into the ring before is visible now
            }
            boolean gone = pipe.isPeerGone(); // before the last look
            int end = end();
            if (end != PipeLayout.OPEN || gone) {
                if (ring.available() > 0) {
                    return 1;
                }
                return spilled() > 0 ? SPILLED : isCutOff(end) ? 1 : -1;
            }
            if (deadline == Waiter.AT_ONCE) {
                return 0;
            }
            if (!waiter.await(deadline)) {
                throw new SocketTimeoutException("Read timed out");
            }
        }
    }

    /** False at an end in order; as over TCP, that of a process that dies is one unless it has left bytes unread. */
    private boolean isCutOff(int end) throws SocketException {
        if (end == PipeLayout.RESET || (end == PipeLayout.OPEN && pipe.hasUnreadOutgoing())) {
            throw new SocketException("Connection reset");
        }
        return false;
    }

    /** Bytes that went over TCP and come next when the ring is empty; for the thread that reads. */
    public long spilled() throws SocketException {
        long count = (long) LONGS.getAcquire(memory, PipeLayout.SPILLED) - spillTaken;
        if (count < 0) {
            throw pipe.damaged(new RingViolationException("the writer takes back bytes that went over TCP"));
        }
        return count;
    }

    /** So many of them were read. */
    public void tookSpilled(long count) {
        spillTaken += count;
        LONGS.setRelease(memory, PipeLayout.SPILL_READ, spillTaken);
        pipe.changed();
        if (!PipeLayout.isSpilled(memory)) {
            wakeSender(); // which may go on with the ring
        }
    }

    /** Whether nothing is in the ring, and something went over TCP; any thread may ask as long as it keeps the pipe. */
    public boolean isSpilled() {
        return PipeLayout.isSpilled(memory) && ByteRing.isEmpty(memory);
    }

    private void tellSender() {
        pipe.hasRead();
        if (ring.room() >= plentyOfRoom) {
            wakeSender();
        }
    }

    /** Bytes that can be read without waiting; for the thread that reads. */
    public int available() throws IOException {
        try {
            pipe.progress();
            return ended ? 0 : ring.available();
        } catch (RingViolationException damaged) {
            throw pipe.damaged(damaged);
        }
    }

    /** Whether bytes have come that nobody has read; any thread may ask as long as it keeps the pipe. */
    public boolean hasUnread() {
        return !ByteRing.isEmpty(memory) || PipeLayout.isSpilled(memory);
    }

    /** Whether reading would find something now besides what went over TCP; any thread may ask as long as it keeps the pipe. */
    public boolean isReadable() {
        if (!ByteRing.isEmpty(memory) || ended || pipe.isClosed()) {
            return true;
        }
        boolean ends = pipe.isPeerGone() || end() != PipeLayout.OPEN;
        return ends && !PipeLayout.isSpilled(memory); // which comes before the end, and of which TCP tells
    }

    /** Bytes read so far; a racy look. */
    public long taken() {
        return taken;
    }

    /** Bytes of the stream since the turn, whichever way they came; a racy look. */
    public long sinceTurn() {
        return taken + spillTaken;
    }

    /** Reads so far that needed no call of the system, less those for waiting and waking; a racy look. */
    public long callsSaved() {
        return Math.max(0, reads - wakes - waiter.sleeps());
    }

    public Waiter waiter() {
        return waiter;
    }

    @Override
    public void willSleep() {
        pipe.willSleep();
    }

    @Override
    public boolean holds() {
        pipe.progress();
        return ended
                || pipe.isClosed()
                || pipe.isPeerGone()
                || end() != PipeLayout.OPEN
                || ring.available() > 0
                || PipeLayout.isSpilled(memory);
    }

    /** Lets the sender know whether urgent bytes are wanted in the stream. */
    public void takeUrgentInline(boolean inline) {
        INTS.setRelease(memory, PipeLayout.URGENT_INLINE, inline ? 1 : 0);
        pipe.changed();
    }

    /** Wants no more bytes: reading finds the end from now on, and what the sender still sends is lost. */
    public void shutdown() {
        ended = true;
        tellReceiving(PipeLayout.DISCARDS);
        waiter.wake();
    }

    /** The socket is closed: tells the sender. */
    public void close() {
        tellReceiving(PipeLayout.CLOSED);
        waiter.wake();
    }

    private void tellReceiving(int state) {
        INTS.setRelease(memory, PipeLayout.RECEIVING, state);
        pipe.changed();
        wakeSender();
    }

    private void wakeSender() {
        int sleep = Waiter.wakePeer(futex, memory, PipeLayout.ROOM_WORD);
        if (sleep != Waiter.AWAKE) {
            wakes++;
        }
        if (sleep >= Waiter.PARKED) {
            pipe.wakePeer(sleep, memory, PipeLayout.ROOM_WORD, Pipe.SENDER);
        }
    }

    /** Lets the thread that waits here look again. */
    public void wake() {
        waiter.wake();
    }

    /** Lets the virtual thread that waits here look again. */
    public void unpark() {
        waiter.unpark();
    }
}
