package org.galerna.bench.pingpong;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Two threads of this JVM that send messages back and forth through a socket of the JDK: blocking
 * {@link SocketChannel}s and direct buffers, which is the fastest way of the JDK to use them. Not thread-safe.
 *
 * <p>The caller's thread is one end; {@link #exchange} may be called often and in short repetitions, so that a
 * measurement can be interleaved with that of another transport.
 */
public final class SocketPingPong implements AutoCloseable {
    /** The kinds of sockets. */
    public enum Kind {
        /** TCP over the loopback interface, without Nagle's algorithm. */
        TCP("JVM socket, TCP loopback"),
        /** UNIX-domain stream socket. */
        UNIX("JVM socket, UNIX domain");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** Name for people. */
        public String label() {
            return label;
        }
    }

    private static final int MINIMUM_ROUNDS = 5;
    private static final int ROUNDS_PER_BATCH = 16;

    private final SocketChannel channel;
    private final ByteBuffer buffer;
    private final ByteBuffer order = ByteBuffer.allocateDirect(2 * Integer.BYTES);
    private final Thread echo;
    private volatile @Nullable IOException echoFailure;

    private SocketPingPong(SocketChannel channel, SocketChannel peer, int largest) {
        this.channel = channel;
        this.buffer = randomBuffer(largest);
        this.echo = Thread.ofPlatform().name("socket-echo").daemon().start(() -> echo(peer, largest));
    }

    /**
     * Opens a connection, and starts the thread at its other end.
     *
     * @param largest size of the largest message in bytes
     * @throws UncheckedIOException if there is no such socket on this machine
     */
    public static SocketPingPong open(Kind kind, int largest) {
        try {
            return switch (kind) {
                case TCP -> openTcp(largest);
                case UNIX -> openUnix(largest);
            };
        } catch (IOException failure) {
            throw new UncheckedIOException("no connection through a " + kind.label, failure);
        }
    }

    private static SocketPingPong openTcp(int largest) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel client = SocketChannel.open(server.getLocalAddress());
            SocketChannel peer = server.accept();
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            peer.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new SocketPingPong(client, peer, largest);
        }
    }

    private static SocketPingPong openUnix(int largest) throws IOException {
        Path folder = Files.createTempDirectory("galerna-ping-pong");
        Path file = folder.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            SocketAddress address = UnixDomainSocketAddress.of(file);
            server.bind(address);
            SocketChannel client = SocketChannel.open(address);
            return new SocketPingPong(client, server.accept(), largest);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }

    private static ByteBuffer randomBuffer(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return ByteBuffer.allocateDirect(bytes).put(content);
    }

    /** A source for both kinds of sockets. */
    public static List<LatencyRow> measure(List<Integer> sizes, double seconds) {
        List<LatencyRow> rows = new ArrayList<>();
        int largest = sizes.stream().mapToInt(Integer::intValue).max().orElse(1);
        for (Kind kind : Kind.values()) {
            try (SocketPingPong pingPong = open(kind, largest)) {
                for (int bytes : sizes) {
                    rows.add(LatencyRow.of(kind.label, bytes, pingPong.measure(bytes, seconds)));
                }
            }
        }
        return rows;
    }

    /** Exchanges messages for a time, of which the first half is warm-up. */
    private Histogram measure(int bytes, double seconds) {
        Histogram roundTrips = LatencyRow.newHistogram();
        long start = System.nanoTime();
        while (System.nanoTime() - start < seconds * 0.5e9) {
            exchange(bytes, ROUNDS_PER_BATCH, roundTrips);
        }
        roundTrips.reset();
        while (System.nanoTime() - start < seconds * 1e9 || roundTrips.getTotalCount() < MINIMUM_ROUNDS) {
            exchange(bytes, bytes > 1 << 20 ? 1 : ROUNDS_PER_BATCH, roundTrips);
        }
        return roundTrips;
    }

    /**
     * Sends a message back and forth.
     *
     * @param bytes its size, 1 to the largest
     * @param rounds how often
     * @param roundTrips receives the time of each round trip in nanoseconds
     * @throws UncheckedIOException if the connection breaks
     */
    public void exchange(int bytes, int rounds, Histogram roundTrips) {
        try {
            order.clear().putInt(bytes).putInt(rounds).flip();
            sendAll(channel, order);
            for (int round = 0; round < rounds; round++) {
                long start = System.nanoTime();
                buffer.clear().limit(bytes);
                sendAll(channel, buffer);
                buffer.clear().limit(bytes);
                receiveAll(channel, buffer);
                roundTrips.recordValue(System.nanoTime() - start);
            }
        } catch (IOException failure) {
            UncheckedIOException broken =
                    new UncheckedIOException("the ping-pong of " + bytes + " bytes through a socket broke", failure);
            IOException other = echoFailure;
            if (other != null) {
                broken.addSuppressed(other);
            }
            throw broken;
        }
    }

    private static void sendAll(SocketChannel channel, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    private static void receiveAll(SocketChannel channel, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (channel.read(target) < 0) {
                throw new IOException("the other end has closed the connection");
            }
        }
    }

    /** The other end: reads an order, sends back as many messages, until an order of zero bytes. */
    private void echo(SocketChannel peer, int largest) {
        ByteBuffer content = ByteBuffer.allocateDirect(largest);
        ByteBuffer received = ByteBuffer.allocateDirect(2 * Integer.BYTES);
        try (peer) {
            while (true) {
                receiveAll(peer, received.clear());
                int bytes = received.getInt(0);
                if (bytes == 0) {
                    return;
                }
                for (int round = received.getInt(Integer.BYTES); round > 0; round--) {
                    receiveAll(peer, content.clear().limit(bytes));
                    sendAll(peer, content.flip());
                }
            }
        } catch (IOException failure) {
            echoFailure = failure;
        }
    }

    /** Closes the connection and ends its thread. */
    @Override
    public void close() {
        try (channel) {
            sendAll(channel, order.clear().putInt(0).putInt(0).flip());
            echo.join();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot close the ping-pong through a socket", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
