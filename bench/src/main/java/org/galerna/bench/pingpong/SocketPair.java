package org.galerna.bench.pingpong;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Two threads with a blocking socket between them: what JVM programs use when they have nothing better. */
final class SocketPair implements Pair {
    private final String name;
    private final SocketChannel near;
    private final SocketChannel far;
    private final ByteBuffer nearBuffer;
    private final ByteBuffer farBuffer;
    private final ExecutorService other = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("socket-answerer").factory());
    private int length;

    private SocketPair(String name, SocketChannel near, SocketChannel far, int longest) {
        this.name = name;
        this.near = near;
        this.far = far;
        this.nearBuffer = ByteBuffer.allocateDirect(longest);
        this.farBuffer = ByteBuffer.allocateDirect(longest);
    }

    /**
     * TCP over the loopback interface, without delay.
     *
     * @param longest longest message, in bytes
     */
    static SocketPair tcp(int longest) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel near = SocketChannel.open(listener.getLocalAddress());
            SocketChannel far = listener.accept();
            near.setOption(StandardSocketOptions.TCP_NODELAY, true);
            far.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new SocketPair("tcp", near, far, longest);
        }
    }

    /**
     * A UNIX-domain stream.
     *
     * @param longest longest message, in bytes
     */
    static SocketPair unix(int longest) throws IOException {
        Path folder = Files.createTempDirectory("galerna-bench");
        Path path = folder.resolve("socket");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(path));
            SocketChannel near = SocketChannel.open(UnixDomainSocketAddress.of(path));
            SocketChannel far = listener.accept();
            return new SocketPair("unix", near, far, longest);
        } finally {
            Files.deleteIfExists(path);
            Files.delete(folder);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void prepare(int length, int roundTrips) {
        this.length = length;
        other.execute(() -> {
            for (int each = 0; each < roundTrips; each++) {
                read(far, farBuffer, length);
                write(far, farBuffer, length);
            }
        });
    }

    @Override
    public void roundTrip() {
        write(near, nearBuffer, length);
        read(near, nearBuffer, length);
    }

    private static void write(SocketChannel channel, ByteBuffer buffer, int length) {
        buffer.clear().limit(length);
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void read(SocketChannel channel, ByteBuffer buffer, int length) {
        buffer.clear().limit(length);
        try {
            while (buffer.hasRemaining()) {
                if (channel.read(buffer) < 0) {
                    throw new UncheckedIOException(new IOException("the other end has closed the socket"));
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public void close() {
        other.close(); // the last answer may still be on its way out
        try (near;
                far) {
            // closing is all
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
