package org.galerna.sockets;

import static org.galerna.sockets.PipeLayout.INTS;
import static org.galerna.sockets.PipeLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import org.galerna.memory.ByteRing;
import org.galerna.memory.ByteRingProducer;
import org.galerna.memory.RingViolationException;
import org.galerna.nativeaccess.Futex;

/**
 * The end of a {@link Pipe} that bytes go into. One thread at a time writes, which its owner sees to; the other methods may
 * be called by any thread.
 */
final class PipeSender implements Waiter.Condition {
    private final Pipe pipe;
    private final MemorySegment memory;
    private final ByteRingProducer ring;
    private final Waiter waiter;
    private final Futex futex = Futex.instance().orElseThrow();
    private final long mostUnread; // while there is so much room that the receiver tells
    private volatile boolean ended;
    private boolean refused; // of the writing thread, as the next one
    private long written;

    PipeSender(Pipe pipe, MemorySegment memory, MemorySegment data) {
        this.pipe = pipe;
        this.memory = memory;
        this.ring = new ByteRingProducer(memory, data, Pipe.STEP);
        this.mostUnread = data.byteSize() - Pipe.plentyOfRoom(data);
        this.waiter = new Waiter(memory, PipeLayout.ROOM_WORD, PipeLayout.SENDER_CPU, PipeLayout.RECEIVER_CPU, this);
    }

    /** Says that what follows the first {@code position} bytes of TCP, and one more to mark the place, comes this way. */
    void switchAt(long position) {
        LONGS.setRelease(memory, PipeLayout.SWITCHED, position + 1);
        pipe.changed();
    }

    /**
     * Writes all of it; waits while there is no room.
     *
     * @throws SocketException if nobody reads at the other end any more, or this end was closed meanwhile
     */
    void write(byte[] source, int offset, int length) throws IOException {
        for (int done = offer(source, offset, length); done < length; ) {
            awaitRoom();
            done += offer(source, offset + done, length - done);
        }
    }

    /** Waits until there is room, or something else that a writer has to know. */
    void awaitRoom() throws IOException {
        waiter.await(Waiter.NEVER);
    }

    /** As {@link #write(byte[], int, int)}, but only what there is room for; returns how many bytes that are. */
    int offer(byte[] source, int offset, int length) throws IOException {
        try {
            int done = 0;
            while (done < length) {
                if (!isWanted()) {
                    return length;
                }
                int count = ring.write(source, offset + done, length - done);
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

    /** As {@link #write(byte[], int, int)}, from any memory. */
    void write(MemorySegment source, long offset, long length) throws IOException {
        for (long done = offer(source, offset, length); done < length; ) {
            awaitRoom();
            done += offer(source, offset + done, length - done);
        }
    }

    /** As {@link #offer(byte[], int, int)}, from any memory. */
    long offer(MemorySegment source, long offset, long length) throws IOException {
        try {
            long done = 0;
            while (done < length) {
                if (!isWanted()) {
                    return length;
                }
                int count = ring.write(source, offset + done, length - done);
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
        // the first bytes after the other end was closed are what TCP learns by; who was reset has learnt already
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
    boolean isWritable() {
        return ended
                || pipe.isClosed()
                || pipe.isPeerGone()
                || (int) INTS.getAcquire(memory, PipeLayout.RECEIVING) != PipeLayout.READS
                || ByteRing.unread(memory) <= mostUnread;
    }

    Waiter waiter() {
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
                || ring.space() > 0;
    }

    /** Whether the other end has not read all that was written. */
    boolean hasUnread() {
        return !ByteRing.isEmpty(memory);
    }

    /** Bytes written so far. */
    long written() {
        return written;
    }

    /** Whether the other end wants urgent bytes in the stream. */
    boolean isUrgentInline() {
        return (int) INTS.getAcquire(memory, PipeLayout.URGENT_INLINE) != 0;
    }

    /** Ends the stream in order. */
    void shutdown() {
        end(PipeLayout.FINISHED);
    }

    /** Ends the stream, unless it has ended in order already. */
    void close(boolean reset) {
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
        if (sleep >= Waiter.PARKED) {
            pipe.wakePeer(sleep, memory, PipeLayout.BYTES_WORD, Pipe.RECEIVER);
        }
    }

    /** Lets whoever waits here look again. */
    void wake() {
        waiter.wake();
    }

    /** Lets the virtual thread that waits here look again. */
    void unpark() {
        waiter.unpark();
    }
}
