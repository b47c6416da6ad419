package org.galerna.sockets.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketException;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.PipeReceiver;
import org.galerna.sockets.pipe.PipeSender;
import org.galerna.sockets.pipe.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a socket: what its streams read from and write to, and arrays that are not serialized. Calls wait.
 *
 * <p>One thread at a time reads and one writes, as with the platform's sockets; others wait for the lock. The connection of
 * a channel is a {@code ChannelConnection}.
 */
public class FastConnection extends UpgradableConnection {
    private static final byte[] MARK = {0};

    /** Bytes sent over TCP between two looks whether there is a pipe by now: what the platform takes in one go. */
    public static final int PIECE = 1 << 17;

    private final InputStream tcpIn;
    private final OutputStream tcpOut;
    private final SocketOptions options;
    private final NoDelay noDelay = new NoDelay();

    /**
     * A connection.
     *
     * @param options of the TCP socket
     * @param name for the log
     * @param upgrade what offers a pipe when the connection is worth it; null at the end that is offered one
     */
    public FastConnection(
            InputStream tcpIn, OutputStream tcpOut, SocketOptions options, String name, @Nullable Upgrade upgrade) {
        super(name, upgrade);
        this.tcpIn = tcpIn;
        this.tcpOut = tcpOut;
        this.options = options;
    }

    /**
     * Reads as a socket's stream does.
     *
     * @param millis longest time to wait; 0 for ever
     */
    public int read(byte[] target, int offset, int length, int millis) throws IOException {
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
                if (count == PipeReceiver.SPILLED) {
                    count = readSpilled(target, offset, length);
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
    public int read(MemorySegment target, long offset, long length, byte[] scratch, int millis) throws IOException {
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
                if (count == PipeReceiver.SPILLED) {
                    count = readSpilled(scratch, 0, (int) Math.min(length, scratch.length));
                    MemorySegment.copy(scratch, 0, target, ValueLayout.JAVA_BYTE, offset, Math.max(count, 0));
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
        if (count < 0) {
            return endOfTcp();
        }
        int data = received(count);
        keepEarly(target, offset + data + MARK_BYTES, count - data - MARK_BYTES);
        return data;
    }

    /** Reads what went over TCP because the pipe was full; there is some. */
    private int readSpilled(byte[] target, int offset, int length) throws IOException {
        PipeReceiver from = Objects.requireNonNull(receiver);
        long most = Math.min(length, from.spilled());
        byte[] kept = early;
        int count;
        if (kept == null) {
            count = tcpIn.read(target, offset, (int) most);
        } else {
            byte[] taken = takeEarly(kept, most);
            System.arraycopy(taken, 0, target, offset, taken.length);
            count = taken.length;
        }
        if (count < 0) {
            return endOfSpilled();
        }
        from.tookSpilled(count);
        return count;
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
    public void write(byte[] source, int offset, int length) throws IOException {
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
    public void write(MemorySegment source, long offset, long length, byte[] scratch) throws IOException {
        writeLock.lock();
        try {
            long done = 0;
            while (done < length) {
                PipeSender through = senderIfAny();
                if (through != null) {
                    writePipe(through, source, offset + done, length - done, scratch);
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
        for (int done = 0; done < length; ) {
            boolean full = false;
            boolean completed = false;
            enter();
            try {
                done += through.offer(source, offset + done, length - done);
                full = done < length && !through.awaitRoom();
                completed = true;
            } finally {
                leave(completed);
            }
            if (full) {
                int piece = Math.min(length - done, PIECE);
                through.spill(piece); // before, so that the other end makes room where TCP takes less
                tcpOut.write(source, offset + done, piece);
                done += piece;
            }
        }
    }

    private void writePipe(PipeSender through, MemorySegment source, long offset, long length, byte[] scratch)
            throws IOException {
        for (long done = 0; done < length; ) {
            boolean full = false;
            boolean completed = false;
            enter();
            try {
                done += through.offer(source, offset + done, length - done);
                full = done < length && !through.awaitRoom();
                completed = true;
            } finally {
                leave(completed);
            }
            if (full) {
                int piece = (int) Math.min(length - done, scratch.length);
                MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset + done, scratch, 0, piece);
                through.spill(piece); // as above
                tcpOut.write(scratch, 0, piece);
                done += piece;
            }
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

    /** The option {@code TCP_NODELAY}, which the program is to read and set by this. */
    public final NoDelay noDelay() {
        return noDelay;
    }

    @Override
    protected boolean sendMark() throws IOException {
        return noDelay.<IOException>writeAtOnce(
                () -> (Boolean) options.getOption(SocketOptions.TCP_NODELAY),
                on -> options.setOption(SocketOptions.TCP_NODELAY, on),
                () -> {
                    tcpOut.write(MARK, 0, MARK_BYTES);
                    return true;
                });
    }

    /** Bytes that can be read without waiting. */
    public int available() throws IOException {
        int tcp = tcpIn.available(); // throws if the socket is closed
        if (!readLock.tryLock()) {
            return 0; // somebody reads them
        }
        try {
            Pipe current = pipe;
            if (current == null || readReleased) {
                return tcp;
            }
            PipeReceiver from = receiver;
            if (from != null) {
                byte[] kept = early;
                long overTcp = Math.min(from.spilled(), tcp + (kept == null ? 0L : kept.length));
                return (int) Math.min(from.available() + overTcp, Integer.MAX_VALUE);
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
    public interface TcpAction {
        void run() throws IOException;
    }

    /**
     * Sends a byte that overtakes: over TCP, or in the stream where the other end wants to find it there and no longer
     * looks at TCP.
     */
    public void sendUrgent(int data, TcpAction overTcp) throws IOException {
        writeLock.lock();
        try {
            if (isTurning() && senderIfAny() == null) {
                throw new SocketException("Resource temporarily unavailable");
            }
            if (sender == null) {
                staysOnTcp = true; // whether the other end counts this byte only it knows
                overTcp.run();
            } else if (writeReleased) {
                throw new SocketException("Socket closed");
            } else if (sender.isUrgentInline()) {
                writePipe(sender, new byte[] {(byte) data}, 0, 1);
            }
        } finally {
            writeLock.unlock();
            releaseIfClosed();
        }
    }
}
