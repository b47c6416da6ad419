package org.galerna.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;

/** The two ends of a connection of channels, and what can be done with them. */
record ChannelPair(SelectorProvider provider, SocketChannel client, SocketChannel server) implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    private static final int POURED = 2_000_000;

    /** Connects two channels; bytes go through shared memory when this returns if they are to. */
    static ChannelPair open(SelectorProvider provider, boolean fast) throws IOException {
        try (ServerSocketChannel listener = provider.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel client = provider.openSocketChannel();
            client.connect(listener.getLocalAddress());
            ChannelPair pair = new ChannelPair(provider, client, listener.accept());
            if (fast) {
                pair.warmUp(true);
            }
            return pair;
        }
    }

    /** Exchanges bytes until both directions go through shared memory, or a few times if they are not to. */
    void warmUp(boolean fast) throws IOException {
        long deadline = System.nanoTime() + PATIENCE;
        for (int more = 2; more > 0; ) {
            exchange(client, server);
            exchange(server, client);
            more -= !fast || (FastSockets.isFast(client) && FastSockets.isFast(server)) ? 1 : 0;
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the connection does not become fast");
            }
        }
    }

    private static void exchange(SocketChannel from, SocketChannel to) throws IOException {
        from.write(bytes(7, 8, 9));
        if (!read(to, 3).equals("[7, 8, 9]")) {
            throw new IOException("other bytes have come");
        }
    }

    static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    /** Reads so many bytes, or up to the end; shows them. */
    static String read(SocketChannel channel, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        while (target.hasRemaining() && channel.read(target) >= 0) {
            Thread.onSpinWait(); // channels that do not wait are asked again
        }
        return Arrays.toString(Arrays.copyOf(target.array(), target.position()));
    }

    /** Writes random bytes in random pieces by a selector, then ends the stream. */
    String pour(SocketChannel channel, long seed) throws IOException {
        Random random = new Random(seed);
        byte[] all = new byte[POURED];
        random.nextBytes(all);
        ByteBuffer direct = ByteBuffer.allocateDirect(150_000);
        channel.configureBlocking(false);
        try (Selector selector = provider.openSelector()) {
            channel.register(selector, SelectionKey.OP_WRITE);
            for (int at = 0; at < all.length; ) {
                selector.select();
                selector.selectedKeys().clear();
                int piece = Math.min(all.length - at, 1 + random.nextInt(random.nextInt(5) == 0 ? 150_000 : 3000));
                at += random.nextBoolean()
                        ? channel.write(ByteBuffer.wrap(all, at, piece))
                        : channel.write(direct.clear().put(all, at, piece).flip());
            }
        }
        channel.shutdownOutput();
        return "poured";
    }

    /** Reads to the end in random pieces by a selector; returns the number of bytes and their checksum. */
    String drain(SocketChannel channel, long seed) throws IOException {
        Random random = new Random(seed);
        CRC32 sum = new CRC32();
        ByteBuffer heap = ByteBuffer.allocate(100_000);
        ByteBuffer direct = ByteBuffer.allocateDirect(100_000);
        long count = 0;
        channel.configureBlocking(false);
        try (Selector selector = provider.openSelector()) {
            channel.register(selector, SelectionKey.OP_READ);
            for (int read = 0; read >= 0; count += Math.max(read, 0)) {
                selector.select();
                selector.selectedKeys().clear();
                ByteBuffer target = (random.nextBoolean() ? heap : direct).clear();
                read = channel.read(target.limit(1 + random.nextInt(target.capacity())));
                sum.update(target.flip());
            }
        }
        return count + " bytes, " + sum.getValue();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
