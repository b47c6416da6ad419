package org.galerna.bench.sockets;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Many connections at a time, half of them to a port that fast sockets leave alone: a message goes out on each, and all
 * come back. A selector at either end.
 */
final class SelectorWork {
    private static final int CONNECTIONS = 1000;
    private static final int ROOM = 1 << 16;

    private final List<SocketChannel> channels = new ArrayList<>();
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);

    /** A client with half of its connections to each port. */
    SelectorWork(int port, int plainPort) throws IOException {
        for (int number = 0; number < CONNECTIONS; number++) {
            SocketChannel channel = SocketChannel.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), number % 2 == 0 ? port : plainPort));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            channels.add(channel);
        }
    }

    /**
     * Starts a server that returns what it gets; returns the two ports that it listens at.
     *
     * @param plainPort the second one; 0 for any
     */
    static String serve(int plainPort) throws IOException {
        Selector selector = Selector.open();
        String ports = listen(selector, 0) + " " + listen(selector, plainPort);
        Thread.ofPlatform().daemon().start(() -> serve(selector));
        return ports;
    }

    private static int listen(Selector selector, int port) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        return listener.socket().getLocalPort();
    }

    private static void serve(Selector selector) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);
        try {
            while (true) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.channel() instanceof ServerSocketChannel listener) {
                        SocketChannel channel = listener.accept();
                        channel.configureBlocking(false);
                        channel.register(selector, SelectionKey.OP_READ);
                    } else {
                        echo((SocketChannel) key.channel(), buffer);
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static void echo(SocketChannel channel, ByteBuffer buffer) throws IOException {
        int count = channel.read(buffer.clear());
        if (count < 0) {
            channel.close();
            return;
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer); // short messages, of which the client sends one at a time
        }
    }

    /** So many messages on all connections together; returns the nanoseconds that they took. */
    long exchange(int bytes, int count) throws IOException {
        long start = System.nanoTime();
        for (int left = count; left > 0; left -= CONNECTIONS) {
            int sent = Math.min(left, CONNECTIONS);
            for (int number = 0; number < sent; number++) {
                buffer.clear().limit(bytes);
                while (buffer.hasRemaining()) {
                    channels.get(number).write(buffer);
                }
            }
            receive((long) sent * bytes);
        }
        return System.nanoTime() - start;
    }

    private void receive(long bytes) throws IOException {
        for (long left = bytes; left > 0; ) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                int count = ((SocketChannel) key.channel()).read(buffer.clear());
                if (count < 0) {
                    throw new EOFException();
                }
                left -= count;
            }
            selector.selectedKeys().clear();
        }
    }
}
