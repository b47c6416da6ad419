package org.galerna.link.tcp.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.galerna.nativeaccess.socket.SystemAnswers;
import org.jspecify.annotations.Nullable;

/** A wire over the streams of a socket: one thread blocks reading, another one writing. */
public final class StreamWire implements Wire {
    /** Threads of a connection. */
    public static final int THREADS = 2;

    private static final int CHUNK = 32 * 1024;

    private final Wire kernel; // to ask what the system has
    private final Runnable wakeUp;
    private final BytePipe in = new BytePipe();
    private final BytePipe out = new BytePipe();
    private volatile @Nullable IOException failure;
    private volatile boolean ending;

    private StreamWire(SocketChannel channel, Runnable wakeUp) {
        this.kernel = ChannelWire.toArrays(channel);
        this.wakeUp = wakeUp;
    }

    /**
     * Begins to use a socket.
     *
     * @param wakeUp run when bytes have come, and when there is room again
     */
    public static StreamWire start(SocketChannel channel, Runnable wakeUp) throws IOException {
        channel.configureBlocking(true);
        StreamWire wire = new StreamWire(channel, wakeUp);
        InputStream input = channel.socket().getInputStream();
        OutputStream output = channel.socket().getOutputStream();
        String name = "galerna-stream-" + channel.getRemoteAddress();
        Thread.ofPlatform().daemon().name(name + "-reader").start(() -> {
            wire.run(() -> wire.readAll(input));
            wire.in.end();
            wakeUp.run();
        });
        Thread.ofPlatform().daemon().name(name + "-writer").start(() -> wire.run(() -> wire.writeAll(output)));
        return wire;
    }

    /** What a thread does until the stream ends. */
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (IOException broken) {
            failure = broken;
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
        // what has come before a write failed is still there to be read; its reader finds the end of the stream
    }

    private void readAll(InputStream input) throws IOException, InterruptedException {
        byte[] chunk = new byte[CHUNK];
        int count;
        while ((count = input.read(chunk)) >= 0 && in.awaitRoom(chunk, count)) {
            wakeUp.run();
        }
    }

    private void writeAll(OutputStream output) throws IOException, InterruptedException {
        byte[] chunk = new byte[CHUNK];
        int count;
        while ((count = out.awaitBytes(chunk)) >= 0) {
            output.write(chunk, 0, count);
            wakeUp.run();
        }
        if (ending) {
            close();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count = in.read(target);
        IOException broken = failure;
        if (count < 0 && broken != null) {
            throw new IOException(broken.getMessage(), broken);
        }
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        long total = 0;
        for (ByteBuffer each : targets) {
            int count = each.hasRemaining() ? read(each) : 0;
            if (count < 0) {
                return total == 0 ? count : total;
            }
            total += count;
            if (each.hasRemaining()) {
                break; // what has come since belongs there
            }
        }
        return total;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        IOException broken = failure;
        if (broken != null) {
            throw new IOException(broken.getMessage(), broken);
        }
        return out.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
        long total = 0;
        for (int each = offset; each < offset + count; each++) {
            total += write(sources[each]);
            if (sources[each].hasRemaining()) {
                break; // room that there is since belongs to it
            }
        }
        return total;
    }

    @Override
    public long underWay() {
        return failure != null ? 0 : out.size() + kernel.underWay();
    }

    @Override
    public boolean isWithinHost() {
        return kernel.isWithinHost();
    }

    @Override
    public Optional<SystemAnswers> answers() {
        return kernel.answers();
    }

    @Override
    public void select(Selector selector, Object attachment, boolean reading, boolean writing) {
        // the threads wake the sleepers
    }

    @Override
    public boolean isSelectable() {
        return false;
    }

    @Override
    public void closeBehindLast() {
        ending = true;
        out.end();
    }

    @Override
    public void close() {
        in.end();
        out.end();
        kernel.close();
    }
}
