package org.galerna.sockets.pipe;

import static org.galerna.sockets.pipe.PipeLayout.INTS;
import static org.galerna.sockets.pipe.PipeLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import org.galerna.memory.ByteRing;
import org.galerna.memory.ByteRingProducer;
import org.galerna.memory.RingViolationException;
import org.galerna.nativeaccess.thread.Futex;

/**
 * The end of a {@link Pipe} that bytes go into. One thread at a time writes, which its owner sees to; the other methods may
 * be called by any thread.
 *
 * <p><b>Full.</b> TCP takes megabytes that nobody reads, and programs count on that, such as two that both write before they
 * read. The ring is smaller. So when it is full and the other end does not read, bytes go over TCP again, which takes what
 * it always takes: {@linkplain #awaitRoom a writer that waits} turns there when nothing was read for {@value #STALL_NANOS}
 * ns, and {@linkplain #mayRunOver one that does not wait} too, or at once if the ring is full of what it has written itself.
 * While the other end reads, writers wait for the ring, which is faster. The stream is then what is in the ring, followed by
 * what went over TCP, and the ring is not written to until all of that was read. A reader takes from the ring what is there,
 * and otherwise as many bytes from TCP as were {@linkplain #spill announced}.
 *
 * <p>Argument for the order. The writer stores the number of bytes that go over TCP with release, after all that is in the
 * ring before them. The reader loads it with acquire and looks at the ring once more: it sees all of those, so that it does
 * not read from TCP too early. The writer goes on with the ring when the reader has stored, with release, that it has read
 * as many: so what the reader finds in the ring never comes behind anything in TCP. How waiting threads are woken is the
 * argument of {@link Waiter}, where both numbers count among what is waited for.
 */
public final class PipeSender implements WaitCondition {
    private static final long STALL_NANOS = 2_000_000;

    /** The same for an end on another host, which answers later. */
    private static final long FAR_STALL_NANOS = 200_000_000;

    /** How long a large write looks for room before its bytes go over TCP, which costs several times as much. */
    private static final long LARGE_LOOK_NANOS = 50_000;

    private final Pipe pipe;
    private final MemorySegment memory;
    private final ByteRingProducer ring;
    private final long stallNanos;
    private final Waiter waiter;
    private final Futex futex = Futex.instance().orElseThrow();
    private final long mostUnread; // while there is so much room that the receiver tells
    private volatile boolean ended;
    private boolean refused; // of the writing thread, as the next ones
    private long written;
    private long writes;
    private long wakes; // calls of the system by which the other end was woken; racy
    private long spilled; // over TCP, since the turn
    private long spillRead; // of these, at the other end, as seen last

    // of any thread that wants to write: what was read there when somebody looked, since when, and when it stood still
    private volatile long seenRead = -1;
    private volatile long seenSince;
    private volatile long stalledAt = -1;

    private long began; // of the writing thread: what was written when the present write began
    private volatile boolean tcpIsFull; // as far as the last writer knows that does not wait

    public PipeSender(Pipe pipe, MemorySegment memory, MemorySegment data) {
        this.pipe = pipe;
        this.memory = memory;
        this.ring = new ByteRingProducer(memory, data, Pipe.STEP);
        this.stallNanos = pipe.far() == null ? STALL_NANOS : FAR_STALL_NANOS;
        this.mostUnread = data.byteSize() - Pipe.plentyOfRoom(data);
        this.waiter = new Waiter(memory, PipeLayout.ROOM_WORD, PipeLayout.SENDER_CPU, PipeLayout.RECEIVER_CPU, this);
    }

    /** Says that what follows the first {@code position} bytes of TCP, and one more to mark the place, comes this way. */
    public void switchAt(long position) {
        LONGS.setRelease(memory, PipeLayout.SWITCHED, position + 1);
        pipe.changed();
    }

    /**
     * Waits until there is room, or something else that a writer has to know.
     *
     * @return false if the other end reads nothing: the next bytes are to go over TCP, after a {@link #spill}
     */
    public boolean awaitRoom() throws IOException {
        try {
            for (long read = readThere(); read != stalledAt; ) {
                if (waiter.await(System.nanoTime() + stallNanos)) {
                    return true;
                }
                long now = readThere();
                if (now == read && pipe.maySpill()) {
                    stalledAt = now;
                }
                read = now;
            }
            return false;
        } catch (RingViolationException damaged) {
            throw pipe.damaged(damaged);
        }
    }

    /** Whether there is room in a moment; for a thread that does not wait. */
    public boolean lookForRoom() throws IOException {
        try {
            return isLarge() ? waiter.look(LARGE_LOOK_NANOS) : waiter.look();
        } catch (RingViolationException damaged) {
            throw pipe.damaged(damaged);
        }
    }

    /** A write begins that does not wait. */
    public void begin() {
        began = written;
    }

    /** Whether a writer that does not wait, and has found the ring full, goes on over TCP. */
    public boolean mayRunOver() {
        if (pipe.maySpill() && (isLarge() || standsStill())) {
            stalledAt = readThere();
            return true;
        }
        return false;
    }

    /** Whether the ring is full of what the present write has; TCP takes that at once on a host, but not between hosts. */
    private boolean isLarge() {
        return pipe.far() == null && written - began >= mostUnread / 2;
    }

    /** Whether the other end has read nothing for a while; that is found out by asking again. */
    private boolean standsStill() {
        long read = readThere();
        if (read == stalledAt) {
            return true;
        }
        long now = System.nanoTime();
        if (read != seenRead) {
            seenSince = now; // before: a thread that sees the number sees since when it stands
            seenRead = read;
        } else if (now - seenSince >= stallNanos) {
            stalledAt = read;
            return true;
        }
        return false;
    }

    /** Bytes that the other end has read, whichever way they came. */
    private long readThere() {
        return ByteRing.taken(memory) + (long) LONGS.getAcquire(memory, PipeLayout.SPILL_READ);
    }

    /** Says that so many bytes more go over TCP, behind what is in the ring; before or after they do. */
    public void spill(long count) {
        spilled += count;
        LONGS.setRelease(memory, PipeLayout.SPILLED, spilled);
        waiter.here();
        wakeReceiver();
    }

    /** Whether TCP has not taken all that was last given to it by a writer that does not wait. */
    public void tcpIsFull(boolean full) {
        tcpIsFull = full;
    }

    /** Whether the next bytes go over TCP too, because the ring comes before what is there already. */
    private boolean isSpilling() {
        if (spilled == spillRead) {
            return false;
        }
        long read = (long) LONGS.getAcquire(memory, PipeLayout.SPILL_READ);
        if (read < spillRead || read > spilled) {
            throw new RingViolationException("the reader says that it has read " + read
                    + " bytes that went over TCP, of which there were " + spilled);
        }
        spillRead = read;
        return read != spilled;
    }

    /** Whether a selector that waits for room has to ask TCP too; any thread may ask as long as it keeps the pipe. */
    public boolean needsTcp() {
        return !isRoomy() && (tcpIsFull || PipeLayout.isSpilled(memory)) && standsStill();
    }

    /** In how many milliseconds a selector that waits for room has to look again, since nobody rings; negative if never. */
    public int nextLookMillis() {
        return isRoomy() || readThere() == stalledAt ? -1 : (int) TimeUnit.NANOSECONDS.toMillis(stallNanos);
    }

    private boolean isRoomy() {
        return !PipeLayout.isSpilled(memory) && ByteRing.unread(memory) <= mostUnread;
    }

    /**
     * Writes what there is room for.
     *
     * @return number of bytes
     * @throws SocketException if nobody reads at the other end any more, or this end was closed meanwhile
     */
    public int offer(byte[] source, int offset, int length) throws IOException {
        try {
            int done = 0;
            while (done < length) {
                if (!isWanted()) {
                    return length;
                }
                int count = isSpilling() ? 0 : ring.write(source, offset + done, length - done);
                if (count == 0) {
                    if (pipe.progress()) {
                        continue;
                    }
                    return done;
                }
                done += count;
                sent(count);
            }
            return done;
        } catch (RingViolationException damaged) {
            throw pipe.damaged(damaged);
        }
    }

    /** As {@link #offer(byte[], int, int)}, from any memory. */
    public long offer(MemorySegment source, long offset, long length) throws IOException {
        try {
            long done = 0;
            while (done < length) {
                if (!isWanted()) {
                    return length;
                }
                int count = isSpilling() ? 0 : ring.write(source, offset + done, length - done);
                if (count == 0) {
                    if (pipe.progress()) {
                        continue;
                    }
                    return done;
                }
                done += count;
                sent(count);
            }
            return done;
        } catch (RingViolationException damaged) {
            throw pipe.damaged(damaged);
        }
    }

    private void sent(int count) {
        written += count;
        writes++;
        waiter.here(); // for a receiver that would look in vain if it was on the same processor
        wakeReceiver();
    }

    /**
     * Whether bytes are to be written; if not, they are lost, as those are that TCP takes before it learns that nobody
     * reads them.
     */
    private boolean isWanted() throws SocketException {
        if (pipe.isClosed()) {
            throw new SocketException("Socket closed");
        }
        if (ended) {
            throw new SocketException("Broken pipe");
        }
        int receiving = (int) INTS.getAcquire(memory, PipeLayout.RECEIVING);
        if (receiving == PipeLayout.READS && !pipe.isPeerGone()) {
            return true;
        }
        if (receiving == PipeLayout.DISCARDS) {
            return false;
        }
        // the first bytes after the other end was closed are what TCP learns by; after a reset it has learnt already
        if (refused) {
            throw new SocketException("Broken pipe");
        }
        refused = true;
        if (pipe.wasReset()) {
            throw new SocketException("Connection reset by peer");
        }
        return false;
    }

    /** Whether writing would do something now; any thread may ask as long as it keeps the pipe. */
    public boolean isWritable() {
        return ended
                || pipe.isClosed()
                || pipe.isPeerGone()
                || (int) INTS.getAcquire(memory, PipeLayout.RECEIVING) != PipeLayout.READS
                || isRoomy()
                || (!tcpIsFull && !PipeLayout.isSpilled(memory) && pipe.maySpill() && standsStill());
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
                || (int) INTS.getAcquire(memory, PipeLayout.RECEIVING) != PipeLayout.READS
                || (!isSpilling() && ring.space() > 0);
    }

    /** Whether the other end has not read all that was written. */
    public boolean hasUnread() {
        return !ByteRing.isEmpty(memory) || PipeLayout.isSpilled(memory);
    }

    /** Bytes written so far. */
    public long written() {
        return written;
    }

    /** Bytes of the stream since the turn, whichever way they went; a racy look. */
    public long sinceTurn() {
        return written + spilled;
    }

    /** Writes so far that needed no call of the system, less those for waiting and waking; a racy look. */
    public long callsSaved() {
        return Math.max(0, writes - wakes - waiter.sleeps());
    }

    /** Whether the other end wants urgent bytes in the stream. */
    public boolean isUrgentInline() {
        return (int) INTS.getAcquire(memory, PipeLayout.URGENT_INLINE) != 0;
    }

    /** Ends the stream in order. */
    public void shutdown() {
        end(PipeLayout.FINISHED);
    }

    /** Ends the stream, unless it has ended in order already. */
    public void close(boolean reset) {
        end(reset ? PipeLayout.RESET : PipeLayout.FINISHED);
    }

    private void end(int how) {
        ended = true;
        INTS.compareAndSet(memory, PipeLayout.END, PipeLayout.OPEN, how);
        wakeReceiver();
        waiter.wake();
    }

    private void wakeReceiver() {
        pipe.changed();
        int sleep = Waiter.wakePeer(futex, memory, PipeLayout.BYTES_WORD);
        if (sleep != Waiter.AWAKE) {
            wakes++;
        }
        if (sleep >= Waiter.PARKED) {
            pipe.wakePeer(sleep, memory, PipeLayout.BYTES_WORD, Pipe.RECEIVER);
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
