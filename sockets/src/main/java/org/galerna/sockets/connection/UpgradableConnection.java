package org.galerna.sockets.connection;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.SocketException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.PipeListener;
import org.galerna.sockets.pipe.PipeReceiver;
import org.galerna.sockets.pipe.PipeSender;
import org.galerna.sockets.pipe.Remote;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection that may turn to a {@link Pipe} while it is used: where in the stream of bytes it does, and what becomes
 * of the pipe.
 *
 * <p>A pipe is offered out of band ({@link Upgrade}), and each end uses it for what it sends from the moment it knows that
 * the other end has mapped it. Where that is in the stream of bytes both know exactly: the sender stores the number of
 * bytes it has sent over TCP in the shared memory, and then sends one more byte over TCP, which is the last one. The
 * receiver, which may be waiting for TCP, gets that byte after all others, finds the number in the shared memory, drops the
 * byte and turns to the pipe. Since the number was stored before the byte was sent, and the receiver has the pipe since
 * before the sender was told so, it cannot take the byte for data. Peers that have not agreed never get such a byte.
 * Between hosts the number travels another way than the byte, which therefore waits until the other end has the number.
 * A sender whose pipe is full goes over TCP again for a while ({@link PipeSender}).
 *
 * <p>One thread at a time reads and one writes, as with the platform's sockets; others wait for the lock.
 *
 * <p>Calls that read and write hold the lock of their direction.
 */
public abstract class UpgradableConnection implements PipeListener {
    private static final Cleaner CLEANER = Cleaner.create();

    public static final int MARK_BYTES = 1;

    public static final long FULL_PAUSE_NANOS = 1_000_000;

    private final String name;
    private final boolean connects;
    protected final ReentrantLock readLock = new ReentrantLock();
    protected final ReentrantLock writeLock = new ReentrantLock();

    private volatile @Nullable Upgrade upgrade; // of the end that offers, until that is done
    protected volatile @Nullable Pipe pipe;
    private final long since = System.nanoTime();
    private volatile boolean looked; // of threads that read or write, a racy note: whether it was worth the effort
    private @Nullable Object recorded; // guarded by this, as the next one
    private boolean closed;
    private volatile boolean urgentInline;

    // guarded by readLock; a thread that only wants to know whether bytes come through the pipe needs no lock
    protected long received;
    protected volatile @Nullable PipeReceiver receiver; // once bytes come through the pipe
    protected boolean readReleased;
    protected boolean readEnd;
    protected volatile byte @Nullable []
            early; // what has come over TCP behind the mark, and belongs behind what the pipe has

    // guarded by writeLock; as above
    protected long sent;
    protected volatile @Nullable PipeSender sender; // once bytes go through the pipe
    protected boolean writeReleased;
    protected boolean staysOnTcp;
    private boolean turning; // the place is marked in the shared memory, and not yet in the stream

    /**
     * A connection.
     *
     * @param name for the log
     * @param upgrade what offers a pipe when the connection is worth it; null at the end that is offered one
     */
    public UpgradableConnection(String name, @Nullable Upgrade upgrade) {
        this.name = name;
        this.connects = upgrade != null;
        this.upgrade = upgrade;
    }

    /** What happens to a pipe whose connection nobody has closed before it was collected. */
    private record Abandoned(Pipe pipe) implements Runnable {
        @Override
        public void run() {
            pipe.abandon();
        }
    }

    /** The pipe that both ends have agreed on; null if there is none yet. */
    public final @Nullable Pipe pipe() {
        return pipe;
    }

    /** Gives the connection a pipe to use when both ends have agreed; false if it is closed already. */
    public synchronized boolean attach(Pipe offered) {
        if (closed || pipe != null) {
            return false;
        }
        CLEANER.register(this, new Abandoned(offered));
        recorded = ConnectionLog.begun();
        offered.receiver().takeUrgentInline(urgentInline);
        offered.tell(this);
        pipe = offered;
        return true;
    }

    /** Whether bytes of the other end have come through the pipe that nobody has read; if it is closed, nobody knows. */
    public synchronized boolean hasUnread() {
        Pipe current = pipe;
        return current != null && !closed && current.receiver().hasUnread();
    }

    /** Whether bytes of this end go through shared memory now. */
    public synchronized boolean isFast() {
        Pipe current = pipe;
        return current != null && !current.isClosed() && current.isAccepted();
    }

    /** TCP has ended: in order, or because the peer has reset the connection. Returns 0 if the pipe goes on from there. */
    protected final int endOfTcp() throws SocketException {
        Pipe current = pipe;
        if (current != null && !readReleased && current.receiver().switchedAt() == received) {
            receiver = current.receiver(); // before the mark could come, which nobody misses now
            turned();
            return 0;
        }
        if (current != null && current.wasReset()) {
            throw new SocketException("Connection reset");
        }
        return -1;
    }

    /**
     * Counts bytes that came over TCP; returns how many of them are data, turning to the pipe behind the last one. What is
     * behind the mark is to be {@linkplain #keepEarly kept}: the pipe was full before it was read from.
     */
    protected final int received(int count) {
        received += count;
        Pipe current = pipe;
        if (current != null) {
            long end = current.receiver().switchedAt();
            if (end >= 0 && received > end) {
                receiver = current.receiver();
                turned();
                return (int) (count - (received - end));
            }
        }
        progress(count);
        return count;
    }

    /** Keeps bytes that came over TCP behind the mark. */
    protected final void keepEarly(byte[] source, int offset, int count) {
        if (count > 0) {
            early = Arrays.copyOfRange(source, offset, offset + count);
        }
    }

    /** Returns at most so many of those bytes, of which there are some. */
    protected final byte[] takeEarly(byte[] kept, long most) {
        byte[] taken = kept.length <= most ? kept : Arrays.copyOf(kept, (int) most);
        early = taken == kept ? null : Arrays.copyOfRange(kept, taken.length, kept.length);
        return taken;
    }

    /** TCP has ended within bytes that went there after the turn. */
    protected final int endOfSpilled() throws SocketException {
        Pipe current = pipe;
        if (current != null && current.wasReset()) {
            throw new SocketException("Connection reset");
        }
        return -1;
    }

    /** Bytes of one direction go through the pipe from now on; the lock of the direction is held. */
    protected void turned() {
        // nobody waits for a socket but by reading and writing
    }

    /** The thread may wait for the pipe from here on. */
    protected void enter() {
        // nothing but closing ends what a socket waits for
    }

    /** The thread does not wait for the pipe any more; throws if that was ended by something else than {@code completed}. */
    protected void leave(boolean completed) throws IOException {
        // as above
    }

    /** Something has happened to the pipe that is no reading or writing of this end. */
    @Override
    public void changed() {
        // as above
    }

    /** Counts bytes that have gone over TCP. */
    protected final void sent(long count) {
        sent += count;
        progress(count);
    }

    /**
     * The pipe's end to write to; turns to it as soon as that can be. Null while bytes go over TCP, and while nothing can be
     * written at all: {@link #isTurning}.
     */
    protected final @Nullable PipeSender senderIfAny() throws IOException {
        if (writeReleased) {
            throw new SocketException("Socket closed");
        }
        Pipe current = pipe;
        if (sender == null && current != null && !staysOnTcp && current.isAccepted()) {
            Remote far = current.far();
            if (far != null) {
                return turn(current, far);
            }
            if (!turning) {
                current.sender().switchAt(sent);
                turning = true;
            }
            staysOnTcp = true; // unless this succeeds
            boolean marked = sendMark();
            staysOnTcp = false;
            if (marked) {
                turning = false;
                sender = current.sender();
                turned();
                if (connects) {
                    Counters.INSTANCE.connected(Settings.SHARED_MEMORY);
                    ConnectionLog.fast(name, Settings.SHARED_MEMORY);
                }
            }
        }
        return sender;
    }

    /** Turns to a pipe to another host: the mark follows when the other end knows what it means. */
    private @Nullable PipeSender turn(Pipe current, Remote far) {
        if (current.isPeerGone()) {
            return null; // and nothing has gone that way
        }
        PipeSender to = current.sender();
        far.turn(this::mark);
        to.switchAt(sent);
        sender = to;
        turned();
        if (connects) {
            Counters.INSTANCE.connected(far.link().network());
            ConnectionLog.fast(name, far.link().network());
        }
        return to;
    }

    /** Nobody else writes to TCP any more. */
    private void mark() {
        try {
            while (!sendMark()) {
                LockSupport.parkNanos(this, FULL_PAUSE_NANOS); // until somebody has read what is before it
            }
            Pipe current = pipe;
            Remote far = current == null ? null : current.far();
            if (far != null) {
                far.marked();
            }
        } catch (IOException | RuntimeException closedMeanwhile) {
            // then the end of TCP stands for it
        }
    }

    /** TCP is about to end, which must not come before the other end knows of the turn. */
    private void awaitTurnIsKnown() {
        Pipe current = pipe;
        Remote far = current == null ? null : current.far();
        if (far != null) {
            far.awaitTurnIsKnown();
        }
    }

    /** Whether nothing may be written because the next byte is the mark, which TCP does not take yet. */
    protected final boolean isTurning() {
        return turning;
    }

    /** Sends the byte behind which the pipe goes on; false if TCP does not take it now. */
    protected abstract boolean sendMark() throws IOException;

    /** Looks whether the connection is worth a pipe by now. */
    private void progress(long bytes) {
        Upgrade current = upgrade;
        if (current != null && current.isDue(bytes)) {
            upgrade = null;
            looked = true;
            try {
                current.offer(this);
            } catch (RuntimeException | LinkageError defect) {
                ConnectionLog.defect(defect); // the connection goes on over TCP, and the program with it
            }
        }
    }

    // ---- for selectors

    /** Whether TCP, which is not the way of these bytes any more, need not be waited for. */
    public final boolean readsPipe() {
        return receiver != null;
    }

    /** As {@link #readsPipe}, for the other direction. */
    public final boolean writesPipe() {
        return sender != null;
    }

    /** Whether a read would find something in the pipe; the caller keeps the pipe. */
    public final boolean isPipeReadable() {
        PipeReceiver from = receiver;
        return from != null && (from.isReadable() || (early != null && from.isSpilled()));
    }

    /** Whether TCP has to be waited for all the same, because the pipe was full; the caller keeps the pipe. */
    public final boolean readsTcpAgain() {
        PipeReceiver from = receiver;
        return from != null && from.isSpilled();
    }

    /** As {@link #readsTcpAgain}, for the other direction. */
    public final boolean writesTcpAgain() {
        PipeSender to = sender;
        return to != null && to.needsTcp();
    }

    /** Whether a write to the pipe would do something; the caller keeps the pipe. */
    public final boolean isPipeWritable() {
        PipeSender to = sender;
        return to != null && to.isWritable();
    }

    // ---- the end

    /** Whether urgent bytes are wanted in the stream. */
    public synchronized void takeUrgentInline(boolean inline) {
        urgentInline = inline;
        Pipe current = pipe;
        if (current != null && !closed) {
            current.receiver().takeUrgentInline(inline);
        }
    }

    /** Wants no more bytes. */
    public synchronized void shutdownInput() {
        Pipe current = pipe;
        if (current != null && !closed) {
            current.receiver().shutdown();
            changed();
        }
    }

    /** Has no more bytes to send. */
    public void shutdownOutput() {
        synchronized (this) {
            Pipe current = pipe;
            if (current != null && !closed) {
                current.sender().shutdown();
                changed();
            }
        }
        awaitTurnIsKnown();
    }

    /**
     * Closes what there is besides TCP, which is to be closed after this. Threads that read or write throw.
     *
     * @param abort whether to reset the connection, as a socket that lingers for no time does
     */
    public void close(boolean abort) {
        Pipe current;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            upgrade = null;
            current = pipe;
            record(current, abort);
            if (current != null) {
                current.close(abort);
            }
        }
        if (current != null) {
            releaseIfClosed();
            awaitTurnIsKnown();
        }
    }

    /** Tells the recorder of the end of a connection that was fast, or was found to stay plain. */
    private void record(@Nullable Pipe current, boolean abort) {
        long age = System.nanoTime() - since;
        if (current != null && current.isAccepted()) {
            ConnectionLog.ended(
                    recorded,
                    name,
                    current.through(),
                    sent + current.sender().sinceTurn(),
                    (receiver == null ? received : current.receiver().switchedAt())
                            + current.receiver().sinceTurn(), // without the mark
                    age,
                    current.howItEnds(abort));
        } else if (looked) {
            ConnectionLog.ended(
                    null, name, "", sent, received, age, abort ? "reset by this end" : "closed by this end");
        }
    }

    /** Lets go of the directions that nobody uses, once the pipe is closed: see {@link Pipe}. */
    protected final void releaseIfClosed() {
        Pipe current = pipe;
        if (current == null || !current.isClosed()) {
            return;
        }
        if (!readLock.isHeldByCurrentThread() && readLock.tryLock()) {
            try {
                if (!readReleased) {
                    readReleased = true;
                    current.letGo();
                }
            } finally {
                readLock.unlock();
            }
        }
        if (!writeLock.isHeldByCurrentThread() && writeLock.tryLock()) {
            try {
                if (!writeReleased) {
                    writeReleased = true;
                    current.letGo();
                }
            } finally {
                writeLock.unlock();
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
