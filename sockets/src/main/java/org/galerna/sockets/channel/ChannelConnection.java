package org.galerna.sockets.channel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import org.galerna.sockets.connection.FastConnection;
import org.galerna.sockets.connection.Upgrade;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.PipeReceiver;
import org.galerna.sockets.pipe.PipeSender;
import org.galerna.sockets.pipe.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a channel: what a {@link FastConnection} is, with buffers, with calls that do not wait, and with
 * selectors that want to know. The streams of the channel's socket go by the inherited methods.
 */
public final class ChannelConnection extends FastConnection {
    private final SocketChannel tcp;
    private final FastSocketChannel shell;
    private final ByteBuffer mark = ByteBuffer.allocate(MARK_BYTES); // guarded by the locks, for one direction each
    private final ByteBuffer markRead = ByteBuffer.allocate(MARK_BYTES);

    /**
     * A connection.
     *
     * @param tcp connected
     * @param socket the adaptor of {@code tcp}
     */
    public ChannelConnection(
            SocketChannel tcp, Socket socket, FastSocketChannel shell, String name, @Nullable Upgrade upgrade)
            throws IOException {
        super(socket.getInputStream(), socket.getOutputStream(), new ChannelOptions(), name, upgrade);
        this.tcp = tcp;
        this.shell = shell;
    }

    @Override
    protected void turned() {
        shell.updateKeys();
    }

    @Override
    public void changed() {
        shell.ringSelectors();
    }

    @Override
    protected void enter() {
        shell.enter();
    }

    @Override
    protected void leave(boolean completed) throws IOException {
        shell.leave(completed);
    }

    /**
     * Reads what is there.
     *
     * @param waits whether to wait if there is nothing
     * @return number of bytes, -1 at the end
     */
    public int read(ByteBuffer target, boolean waits) throws IOException {
        readLock.lock();
        try {
            if (readEnd) {
                return -1;
            }
            int count = 0;
            if (receiver == null) {
                count = readTcp(target);
            }
            PipeReceiver from = receiver;
            if (count == 0 && from != null && target.hasRemaining()) {
                count = readPipe(from, target, waits);
                if (count == PipeReceiver.SPILLED) {
                    count = readSpilled(from, target);
                }
            }
            readEnd = count < 0;
            return count;
        } finally {
            readLock.unlock();
            releaseIfClosed();
        }
    }

    private int readTcp(ByteBuffer target) throws IOException {
        int before = target.position();
        int count = tcp.read(target);
        if (count < 0) {
            return endOfTcp();
        }
        int data = count == 0 ? 0 : received(count);
        if (data < count) {
            giveBack(new ByteBuffer[] {target}, 0, new int[] {before}, count - data);
        }
        return data;
    }

    /** Takes the last bytes that were read out of buffers again: the mark, and what is behind it. */
    private void giveBack(ByteBuffer[] targets, int offset, int[] before, int count) {
        byte[] back = new byte[count];
        for (int index = before.length - 1, left = count; left > 0; index--) {
            ByteBuffer target = targets[offset + index];
            int part = Math.min(left, target.position() - before[index]);
            left -= part;
            target.position(target.position() - part);
            target.get(target.position(), back, left, part);
        }
        keepEarly(back, MARK_BYTES, count - MARK_BYTES);
    }

    /** Reads what went over TCP because the pipe was full; there is some, or it is on its way. */
    private int readSpilled(PipeReceiver from, ByteBuffer target) throws IOException {
        int most = (int) Math.min(target.remaining(), from.spilled());
        byte[] kept = early;
        int count;
        if (kept == null) {
            int limit = target.limit();
            target.limit(target.position() + most);
            try {
                count = tcp.read(target);
            } finally {
                target.limit(limit);
            }
        } else {
            byte[] taken = takeEarly(kept, most);
            target.put(taken);
            count = taken.length;
        }
        if (count < 0) {
            return endOfSpilled();
        }
        if (count > 0) {
            from.tookSpilled(count);
        }
        return count;
    }

    private int readPipe(PipeReceiver from, ByteBuffer target, boolean waits) throws IOException {
        if (waits) {
            int count = Thread.currentThread().isInterrupted() ? 0 : readPipe(from, target, Waiter.AT_ONCE);
            if (count != 0) {
                return count;
            }
            enter();
            try {
                count = readPipe(from, target, Waiter.NEVER);
            } finally {
                leave(count != 0);
            }
            return count;
        }
        return readPipe(from, target, Waiter.AT_ONCE);
    }

    private static int readPipe(PipeReceiver from, ByteBuffer target, long deadline) throws IOException {
        int length = target.remaining();
        int count = target.hasArray()
                ? from.read(target.array(), target.arrayOffset() + target.position(), length, deadline)
                : from.read(MemorySegment.ofBuffer(target), 0, length, deadline);
        target.position(target.position() + Math.max(count, 0));
        return count;
    }

    /** As {@link #read(ByteBuffer, boolean)}, into one buffer after the other. */
    public long read(ByteBuffer[] targets, int offset, int length, boolean waits) throws IOException {
        readLock.lock();
        try {
            if (readEnd) {
                return -1;
            }
            long count = 0;
            if (receiver == null) {
                count = readTcp(targets, offset, length);
            }
            PipeReceiver from = receiver;
            if (count == 0 && from != null) {
                count = readPipe(from, targets, offset, length, waits);
            }
            readEnd = count < 0;
            return count;
        } finally {
            readLock.unlock();
            releaseIfClosed();
        }
    }

    private long readTcp(ByteBuffer[] targets, int offset, int length) throws IOException {
        int[] before = new int[length];
        for (int index = 0; index < length; index++) {
            before[index] = targets[offset + index].position();
        }
        long count = tcp.read(targets, offset, length);
        if (count < 0) {
            return endOfTcp();
        }
        int data = count == 0 ? 0 : received((int) count);
        if (data < count) {
            giveBack(targets, offset, before, (int) (count - data));
        }
        return data;
    }

    private long readPipe(PipeReceiver from, ByteBuffer[] targets, int offset, int length, boolean waits)
            throws IOException {
        long all = 0;
        for (int index = offset; index < offset + length; index++) {
            ByteBuffer target = targets[index];
            while (target.hasRemaining()) {
                int count = readPipe(from, target, waits && all == 0);
                if (count == PipeReceiver.SPILLED) {
                    count = all == 0 ? readSpilled(from, target) : 0;
                }
                if (count <= 0) {
                    return all > 0 ? all : count;
                }
                all += count;
            }
        }
        return all;
    }

    /**
     * Writes a buffer.
     *
     * @param waits whether to wait for room until all of it is written
     * @return number of bytes written
     */
    public int write(ByteBuffer source, boolean waits) throws IOException {
        writeLock.lock();
        try {
            begin(waits);
            return writeLocked(source, waits);
        } finally {
            writeLock.unlock();
            releaseIfClosed();
        }
    }

    private void begin(boolean waits) {
        PipeSender through = sender;
        if (through != null && !waits && !writeReleased) {
            through.begin();
        }
    }

    private int writeLocked(ByteBuffer source, boolean waits) throws IOException {
        int start = source.position();
        do {
            PipeSender through = senderIfAny();
            if (through != null) {
                writePipe(through, source, waits);
                break;
            }
            if (isTurning()) {
                break;
            }
            int limit = source.limit();
            int piece = Math.min(source.remaining(), PIECE);
            source.limit(source.position() + piece);
            int count;
            try {
                count = tcp.write(source);
            } catch (IOException failed) {
                staysOnTcp = true; // nobody knows how much of it has gone
                throw failed;
            } finally {
                source.limit(limit);
            }
            if (count > 0) {
                sent(count);
            }
            if (count < piece && !waits) {
                break;
            }
        } while (source.hasRemaining());
        return source.position() - start;
    }

    private void writePipe(PipeSender through, ByteBuffer source, boolean waits) throws IOException {
        int start = source.position();
        if (!waits || !Thread.currentThread().isInterrupted()) {
            offerPipe(through, source);
        }
        if (!waits && source.hasRemaining()) {
            writeOn(through, source);
        }
        while (waits && source.hasRemaining()) {
            boolean some = source.position() > start;
            boolean full = false;
            enter();
            try {
                full = !through.awaitRoom();
            } finally {
                leave(some);
            }
            if (some && !shell.isOpen()) {
                return; // as over TCP: what has gone has gone
            }
            if (full) {
                spill(through, source);
            } else {
                offerPipe(through, source);
            }
        }
    }

    /** The pipe is full: writes on, without waiting, as long as the other end reads, and then what TCP takes. */
    private void writeOn(PipeSender through, ByteBuffer source) throws IOException {
        while (source.hasRemaining() && through.lookForRoom()) {
            offerPipe(through, source);
        }
        if (!source.hasRemaining() || !through.mayRunOver()) {
            return;
        }
        boolean all = false;
        while (source.hasRemaining() && !all) {
            int limit = source.limit();
            int piece = Math.min(source.remaining(), PIECE);
            source.limit(source.position() + piece);
            int count;
            try {
                count = tcp.write(source);
            } finally {
                source.limit(limit);
            }
            if (count > 0) {
                through.spill(count);
            }
            all = count < piece;
        }
        through.tcpIsFull(all && source.hasRemaining());
    }

    /** Writes a piece over TCP, and waits until all of it is there. */
    private void spill(PipeSender through, ByteBuffer source) throws IOException {
        int limit = source.limit();
        int piece = Math.min(source.remaining(), PIECE);
        source.limit(source.position() + piece);
        try {
            through.spill(piece); // before, so that the other end makes room where TCP takes less
            while (source.hasRemaining()) {
                if (tcp.write(source) == 0) {
                    LockSupport.parkNanos(this, FULL_PAUSE_NANOS); // the channel does not wait any more
                }
            }
        } finally {
            source.limit(limit);
        }
    }

    private static void offerPipe(PipeSender through, ByteBuffer source) throws IOException {
        int length = source.remaining();
        long count = source.hasArray()
                ? through.offer(source.array(), source.arrayOffset() + source.position(), length)
                : through.offer(MemorySegment.ofBuffer(source), 0, length);
        source.position(source.position() + (int) count);
    }

    /** As {@link #write(ByteBuffer, boolean)}, one buffer after the other. */
    public long write(ByteBuffer[] sources, int offset, int length, boolean waits) throws IOException {
        writeLock.lock();
        try {
            if (senderIfAny() == null && !isTurning()) {
                return writeTcp(sources, offset, length);
            }
            begin(waits);
            long all = 0;
            for (int index = offset; index < offset + length; index++) {
                if (sources[index].hasRemaining()) {
                    all += writeLocked(sources[index], waits);
                    if (sources[index].hasRemaining()) {
                        break;
                    }
                }
            }
            return all;
        } finally {
            writeLock.unlock();
            releaseIfClosed();
        }
    }

    /** In one go, which may take less than there is. */
    private long writeTcp(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            long count = tcp.write(sources, offset, length);
            if (count > 0) {
                sent(count);
            }
            return count;
        } catch (IOException failed) {
            staysOnTcp = true; // nobody knows how much of it has gone
            throw failed;
        }
    }

    @Override
    protected boolean sendMark() throws IOException {
        return noDelay()
                .<IOException>writeAtOnce(
                        () -> tcp.getOption(StandardSocketOptions.TCP_NODELAY),
                        on -> tcp.setOption(StandardSocketOptions.TCP_NODELAY, on),
                        () -> tcp.write(mark.clear()) > 0);
    }

    /**
     * Whether what TCP has brought is for the program: it may be the mark alone, which is taken here, so that nobody is told
     * of bytes that are none. For channels that do not wait.
     */
    public boolean isTcpReadable() throws IOException {
        Pipe current = pipe;
        if (current == null || !readLock.tryLock()) {
            return true; // the thread that reads just now takes it
        }
        try {
            PipeReceiver from = receiver;
            if (from != null) {
                return !readReleased && from.isSpilled(); // else it is the pipe's turn
            }
            if (readReleased || current.receiver().switchedAt() != received) {
                return true;
            }
            int count = tcp.read(markRead.clear());
            if (count > 0) {
                received(count);
            }
            return count < 0;
        } finally {
            readLock.unlock();
            releaseIfClosed();
        }
    }
}
