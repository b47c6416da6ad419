package org.galerna.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.net.SocketException;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection that may turn to a {@link Pipe} while it is used; what the shells around it read from and write to.
 *
 * <p>A pipe is offered out of band ({@link Agreement}), and each end uses it for what it sends from the moment it knows that
 * the other end has mapped it. Where that is in the stream of bytes both know exactly: the sender stores the number of
 * bytes it has sent over TCP in the shared memory, and then sends one more byte over TCP, which is the last one. The
 * receiver, which may be waiting for TCP, gets that byte after all others, finds the number in the shared memory, drops the
 * byte and turns to the pipe. Since the number was stored before the byte was sent, and the receiver has the pipe since
 * before the sender was told so, it cannot take the byte for data. Peers that have not agreed never get such a byte.
 *
 * <p>One thread at a time reads and one writes, as with the platform's sockets; others wait for the lock.
 *
 * <p>This is the connection of a socket, over streams that wait; {@link ChannelConnection} is that of a channel.
 */
sealed class FastConnection permits ChannelConnection {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final byte[] MARK = {0};
    static final int MARK_BYTES = 1;

    /** Bytes sent over TCP between two looks whether there is a pipe by now: what the platform takes in one go. */
    static final int PIECE = 1 << 17;

    private final InputStream tcpIn;
    private final OutputStream tcpOut;
    private final SocketOptions options;
    private final String name;
    private final boolean connects;
    final ReentrantLock readLock = new ReentrantLock();
    final ReentrantLock writeLock = new ReentrantLock();

    private volatile @Nullable Agreement agreement; // of the end that offers, until that is done
    volatile @Nullable Pipe pipe;
    private boolean closed; // guarded by this
    private volatile boolean urgentInline;

    // guarded by readLock; who only wants to know whether bytes come through the pipe needs no lock
    long received;
    volatile @Nullable PipeReceiver receiver; // once bytes come through the pipe
    boolean readReleased;
    boolean readEnd;

    // guarded by writeLock; as above
    long sent;
    volatile @Nullable PipeSender sender; // once bytes go through the pipe
    boolean writeReleased;
    boolean staysOnTcp;
    private boolean turning; // the place is marked in the shared memory, and not yet in the stream

    /**
     * A connection.
     *
     * @param options of the TCP socket
     * @param name for the log
     * @param agreement what offers a pipe when the connection is worth it; null at the end that is offered one
     */
    FastConnection(
            InputStream tcpIn, OutputStream tcpOut, SocketOptions options, String name, @Nullable Agreement agreement) {
        this.tcpIn = tcpIn;
        this.tcpOut = tcpOut;
        this.options = options;
        this.name = name;
        this.connects = agreement != null;
        this.agreement = agreement;
    }

    /** What happens to a pipe whose connection nobody has closed before it was collected. */
    private record Abandoned(Pipe pipe) implements Runnable {
        @Override
        public void run() {
            pipe.abandon();
        }
    }

    /** Gives the connection a pipe to use when both ends have agreed; false if it is closed already. */
    synchronized boolean attach(Pipe offered) {
        if (closed || pipe != null) {
            return false;
        }
        CLEANER.register(this, new Abandoned(offered));
        offered.receiver().takeUrgentInline(urgentInline);
        offered.tell(this);
        pipe = offered;
        return true;
    }

    /** Whether bytes of the other end have come through the pipe that nobody has read; if it is closed, nobody knows. */
    synchronized boolean hasUnread() {
        Pipe current = pipe;
        return current != null && !closed && current.receiver().hasUnread();
    }

    /** Whether bytes of this end go through shared memory now. */
    synchronized boolean isFast() {
        Pipe current = pipe;
        return current != null && !current.isClosed() && current.isAccepted();
    }

    /**
     * Reads as a socket's stream does.
     *
     * @param millis longest time to wait; 0 for ever
     */
    int read(byte[] target, int offset, int length, int millis) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        long deadline = lockForReading(millis);
        try {
            if (readEnd) {
                return -1;
            }
            int count = receiver == null ? readTcp(target, offset, length) : 0;
            if (count == 0) {
                enter();
                try {
                    count = Objects.requireNonNull(receiver).read(target, offset, length, deadline);
                } finally {
                    leave(count != 0);
                }
            }
            readEnd = count < 0;
            return count;
        } finally {
            readLock.unlock();
            releaseIfClosed();
        }
    }

    /** As {@link #read(byte[], int, int, int)}, into any memory; over TCP its bytes come by {@code scratch}. */
    int read(MemorySegment target, long offset, long length, byte[] scratch, int millis) throws IOException {
        long deadline = lockForReading(millis);
        try {
            if (readEnd) {
                return -1;
            }
            int count = 0;
            if (receiver == null) {
                count = readTcp(scratch, 0, (int) Math.min(length, scratch.length));
                MemorySegment.copy(scratch, 0, target, ValueLayout.JAVA_BYTE, offset, Math.max(count, 0));
            }
            if (count == 0) {
                enter();
                try {
                    count = Objects.requireNonNull(receiver).read(target, offset, length, deadline);
                } finally {
                    leave(count != 0);
                }
            }
            readEnd = count < 0;
            return count;
        } finally {
            readLock.unlock();
            releaseIfClosed();
        }
    }

    /** Returns 0 if what follows comes through the pipe. */
    private int readTcp(byte[] target, int offset, int length) throws IOException {
        if (readReleased) {
            throw new SocketException("Socket closed");
        }
        int count = tcpIn.read(target, offset, length);
        return count < 0 ? endOfTcp() : received(count);
    }

    /** TCP has ended: in order, or because the peer has reset the connection. */
    final int endOfTcp() throws SocketException {
        Pipe current = pipe;
        if (current != null && current.wasReset()) {
            throw new SocketException("Connection reset");
        }
        return -1;
    }

    /** Counts bytes that came over TCP; returns how many of them are data, turning to the pipe behind the last one. */
    final int received(int count) throws SocketException {
        received += count;
        Pipe current = pipe;
        if (current != null) {
            long end = current.receiver().switchedAt();
            if (end >= 0 && received > end) {
                if (received != end + MARK_BYTES) {
                    throw new SocketException("Connection reset: the peer has sent more over TCP than it says");
                }
                receiver = current.receiver();
                turned();
                return count - MARK_BYTES;
            }
        }
        progress(count);
        return count;
    }

    /** Bytes of one direction go through the pipe from now on; the lock of the direction is held. */
    void turned() {
        // nobody waits for a socket but by reading and writing
    }

    /** The thread may wait for the pipe from here on. */
    void enter() {
        // nothing but closing ends what a socket waits for
    }

    /** The thread does not wait for the pipe any more; throws if that was ended by something else than {@code completed}. */
    void leave(boolean completed) throws IOException {
        // as above
    }

    /** Something has happened to the pipe that is no reading or writing of this end. */
    void changed() {
        // as above
    }

    private long lockForReading(int millis) throws SocketTimeoutException {
        if (millis == 0) {
            readLock.lock();
            return Waiter.NEVER;
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean interrupted = false;
        boolean locked = readLock.tryLock();
        while (!locked && System.nanoTime() - deadline < 0) {
            try {
                locked = readLock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException goesOn) {
                interrupted = true; // which does not end reading from a socket
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!locked) {
            throw new SocketTimeoutException("Read timed out");
        }
        return deadline;
    }

    /** Writes as a socket's stream does. */
    void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        writeLock.lock();
        try {
            int done = 0;
            while (done < length) {
                PipeSender through = senderIfAny();
                if (through != null) {
                    writePipe(through, source, offset + done, length - done);
                    return;
                }
                int piece = Math.min(length - done, PIECE);
                writeTcp(source, offset + done, piece);
                done += piece;
            }
        } finally {
            writeLock.unlock();
            releaseIfClosed();
        }
    }

    /** As {@link #write(byte[], int, int)}, from any memory; over TCP its bytes go by {@code scratch}. */
    void write(MemorySegment source, long offset, long length, byte[] scratch) throws IOException {
        writeLock.lock();
        try {
            long done = 0;
            while (done < length) {
                PipeSender through = senderIfAny();
                if (through != null) {
                    writePipe(through, source, offset + done, length - done);
                    return;
                }
                int piece = (int) Math.min(length - done, scratch.length);
                MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset + done, scratch, 0, piece);
                writeTcp(scratch, 0, piece);
                done += piece;
            }
        } finally {
            writeLock.unlock();
            releaseIfClosed();
        }
    }

    private void writePipe(PipeSender through, byte[] source, int offset, int length) throws IOException {
        boolean done = false;
        enter();
        try {
            through.write(source, offset, length);
            done = true;
        } finally {
            leave(done);
        }
    }

    private void writePipe(PipeSender through, MemorySegment source, long offset, long length) throws IOException {
        boolean done = false;
        enter();
        try {
            through.write(source, offset, length);
            done = true;
        } finally {
            leave(done);
        }
    }

    private void writeTcp(byte[] source, int offset, int length) throws IOException {
        try {
            tcpOut.write(source, offset, length);
        } catch (IOException failed) {
            staysOnTcp = true; // nobody knows how much of it has gone
            throw failed;
        }
        sent(length);
    }

    /** Counts bytes that have gone over TCP. */
    final void sent(long count) {
        sent += count;
        progress(count);
    }

    /**
     * The pipe's end to write to; turns to it as soon as that can be. Null while bytes go over TCP, and while nothing can be
     * written at all: {@link #isTurning}.
     */
    final @Nullable PipeSender senderIfAny() throws IOException {
        if (writeReleased) {
            throw new SocketException("Socket closed");
        }
        Pipe current = pipe;
        if (sender == null && current != null && !staysOnTcp && current.isAccepted()) {
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
                    Counters.INSTANCE.connected();
                    Journal.fast(name);
                }
            }
        }
        return sender;
    }

    /** Whether nothing may be written because the next byte is the mark, which TCP does not take yet. */
    final boolean isTurning() {
        return turning;
    }

    /** Sends the byte behind which the pipe goes on; false if TCP does not take it now. */
    boolean sendMark() throws IOException {
        Object delay = options.getOption(SocketOptions.TCP_NODELAY);
        options.setOption(SocketOptions.TCP_NODELAY, true); // or the mark may wait for an acknowledgement
        tcpOut.write(MARK, 0, MARK_BYTES);
        options.setOption(SocketOptions.TCP_NODELAY, delay);
        return true;
    }

    /** Looks whether the connection is worth a pipe by now. */
    private void progress(long bytes) {
        Agreement current = agreement;
        if (current != null && current.isDue(bytes)) {
            agreement = null;
            current.offer(this);
        }
    }

    /** Bytes that can be read without waiting. */
    int available() throws IOException {
        int tcp = tcpIn.available(); // throws if the socket is closed
        if (!readLock.tryLock()) {
            return 0; // somebody reads them
        }
        try {
            Pipe current = pipe;
            if (current == null || readReleased) {
                return tcp;
            }
            if (receiver != null) {
                return receiver.available();
            }
            long end = current.receiver().switchedAt();
            if (end < 0 || received + tcp <= end) {
                return tcp;
            }
            return (int) (end - received) + current.receiver().available();
        } finally {
            readLock.unlock();
            releaseIfClosed();
        }
    }

    /** Something that TCP does. */
    @FunctionalInterface
    interface TcpAction {
        void run() throws IOException;
    }

    /**
     * Sends a byte that overtakes: over TCP, or in the stream where the other end wants to find it there and no longer
     * looks at TCP.
     */
    void sendUrgent(int data, TcpAction overTcp) throws IOException {
        writeLock.lock();
        try {
            if (turning && senderIfAny() == null) {
                throw new SocketException("Resource temporarily unavailable");
            }
            if (sender == null) {
                staysOnTcp = true; // whether the other end counts this byte only it knows
                overTcp.run();
            } else if (writeReleased) {
                throw new SocketException("Socket closed");
            } else if (sender.isUrgentInline()) {
                sender.write(new byte[] {(byte) data}, 0, 1);
            }
        } finally {
            writeLock.unlock();
            releaseIfClosed();
        }
    }

    /** Whether urgent bytes are wanted in the stream. */
    synchronized void takeUrgentInline(boolean inline) {
        urgentInline = inline;
        Pipe current = pipe;
        if (current != null && !closed) {
            current.receiver().takeUrgentInline(inline);
        }
    }

    /** Wants no more bytes. */
    synchronized void shutdownInput() {
        Pipe current = pipe;
        if (current != null && !closed) {
            current.receiver().shutdown();
            changed();
        }
    }

    /** Has no more bytes to send. */
    synchronized void shutdownOutput() {
        Pipe current = pipe;
        if (current != null && !closed) {
            current.sender().shutdown();
            changed();
        }
    }

    /**
     * Closes what there is besides TCP, which is to be closed after this. Threads that read or write throw.
     *
     * @param abort whether to reset the connection, as a socket that lingers for no time does
     */
    void close(boolean abort) {
        Pipe current;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            agreement = null;
            current = pipe;
            if (current != null) {
                current.close(abort);
            }
        }
        if (current != null) {
            releaseIfClosed();
        }
    }

    /** Lets go of the directions that nobody uses, once the pipe is closed: see {@link Pipe}. */
    final void releaseIfClosed() {
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
