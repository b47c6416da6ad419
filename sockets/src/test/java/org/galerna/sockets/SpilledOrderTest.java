package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.sockets.FullPipeTest.FAST;
import static org.galerna.sockets.FullPipeTest.MUCH;
import static org.galerna.sockets.FullPipeTest.PATIENCE_MILLIS;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.galerna.testkit.Payload;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of bytes that a pipe had no room for, and that went over TCP. */
class SpilledOrderTest {
    @BeforeAll
    static void install() {
        FastSockets.install();
    }

    /** What has come together with the last byte of TCP belongs behind what the pipe has. */
    @ParameterizedTest
    @ValueSource(ints = {100, 3000, 4_000_000})
    void whatIsInTcpBehindThePipeComesBehindIt(int piece) throws Exception {
        try (ServerSocketChannel listener = FAST.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel client = FAST.openSocketChannel();
            client.connect(listener.getLocalAddress());
            try (ChannelPair pair = new ChannelPair(FAST, client, listener.accept())) {
                byte[] all = Payload.of(9, MUCH);
                int at = 0;
                long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
                while (!FastSockets.isFast(client) && System.nanoTime() - deadline < 0) { // nobody reads meanwhile
                    at += at < 100_000 ? client.write(ByteBuffer.wrap(all, at, 1)) : 0;
                }
                ByteBuffer rest = ByteBuffer.wrap(all, at, all.length - at);
                while (rest.hasRemaining()) {
                    client.write(rest);
                }
                Random random = new Random(piece);
                ByteBuffer got = ByteBuffer.allocate(MUCH);
                while (got.hasRemaining()) {
                    got.limit(Math.min(MUCH, got.position() + 1 + random.nextInt(piece)));
                    if (random.nextBoolean()) {
                        pair.server().read(got);
                    } else {
                        ByteBuffer first = got.slice(got.position(), got.remaining() / 2);
                        ByteBuffer second = got.slice(got.position() + first.limit(), got.remaining() - first.limit());
                        long count = pair.server().read(new ByteBuffer[] {first, second});
                        got.position(got.position() + (int) count);
                    }
                    got.limit(MUCH);
                }
                assertThat(got.array()).isEqualTo(all);
            }
        }
    }

    /** One thread writes and reads at both ends by turns, as it comes, so that pipes fill, run over and drain. */
    @RepeatedTest(6)
    void bytesKeepTheirOrderHoweverPipesRunOver() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (ChannelPair pair = ChannelPair.open(FAST, true);
                Selector selector = FAST.openSelector()) {
            Way[] ways = {new Way(pair.client(), pair.server(), seed), new Way(pair.server(), pair.client(), ~seed)};
            for (Way way : ways) {
                way.from.configureBlocking(false);
                way.from.register(selector, SelectionKey.OP_READ);
            }
            for (int turn = 0; turn < 1500; turn++) {
                Way way = ways[random.nextInt(2)];
                // mostly one of the two for a while, or nothing would ever run over
                boolean writes = random.nextInt(100) < (turn / 100 % 2 == 0 ? 80 : 20);
                if (writes) {
                    way.write(random, 1 + random.nextInt(random.nextInt(4) == 0 ? 400_000 : 5000));
                } else if (way.outstanding > 0) {
                    way.awaitReadable(selector);
                    way.read(random, 1 + random.nextInt(random.nextInt(4) == 0 ? 400_000 : 5000));
                }
            }
            for (Way way : ways) {
                way.from.shutdownOutput();
                while (way.outstanding > 0) {
                    way.awaitReadable(selector);
                    way.read(random, 100_000);
                }
                way.awaitReadable(selector);
                assertThat(way.to.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
    }

    /** One direction: what is written is made of pieces of random bytes, which come again at the other end. */
    private static final class Way {
        private final SocketChannel from;
        private final SocketChannel to;
        private final Random content;
        private final Queue<byte[]> pieces = new ArrayDeque<>();
        private int taken; // of the first piece
        private long outstanding;

        Way(SocketChannel from, SocketChannel to, long seed) {
            this.from = from;
            this.to = to;
            this.content = new Random(seed);
        }

        void write(Random random, int count) throws IOException {
            byte[] piece = new byte[count];
            content.nextBytes(piece);
            ByteBuffer source = random.nextBoolean()
                    ? ByteBuffer.wrap(piece)
                    : ByteBuffer.allocateDirect(count).put(piece).flip();
            long written;
            if (random.nextInt(3) == 0) {
                ByteBuffer first = source.slice(0, count / 3);
                written = from.write(new ByteBuffer[] {first, source.slice(count / 3, count - count / 3)});
            } else {
                written = from.write(source);
            }
            if (written > 0) {
                pieces.add(Arrays.copyOf(piece, (int) written));
                outstanding += written;
            }
        }

        /** A selector finds what is there. */
        void awaitReadable(Selector selector) throws IOException {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
            SelectionKey key = to.keyFor(selector);
            do {
                selector.selectedKeys().clear();
                selector.select(PATIENCE_MILLIS);
                assertThat(System.nanoTime() - deadline).as("time").isNegative();
            } while (!selector.selectedKeys().contains(key));
        }

        void read(Random random, int count) throws IOException {
            ByteBuffer target = random.nextBoolean() ? ByteBuffer.allocate(count) : ByteBuffer.allocateDirect(count);
            assertThat(to.read(target)).isPositive();
            target.flip();
            outstanding -= target.remaining();
            while (target.hasRemaining()) {
                byte[] piece = pieces.element();
                int part = Math.min(target.remaining(), piece.length - taken);
                byte[] got = new byte[part];
                target.get(got);
                assertThat(got).isEqualTo(Arrays.copyOfRange(piece, taken, taken + part));
                taken += part;
                if (taken == piece.length) {
                    pieces.remove();
                    taken = 0;
                }
            }
        }
    }

    /** Readers that do not read until the writer waits, again and again, find everything in order. */
    @ParameterizedTest
    @CsvSource({"false,false", "true,true", "true,false"})
    void readersThatPauseFindEverythingInOrder(boolean channels, boolean virtual) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        try (AutoCloseableStreams pair = AutoCloseableStreams.open(channels)) {
            Random random = new Random(seed);
            byte[] all = Payload.of(seed, 12_000_000);
            int at = 0;
            while (at < all.length) {
                int from = at;
                int count = Math.min(all.length - at, 1 + random.nextInt(6_000_000));
                SocketPair.Blocked writer = SocketPair.blocked(virtual, () -> {
                    for (int done = 0; done < count; ) {
                        int piece = Math.min(count - done, 1 + (int) ((done * 7919L + from) % 700_000));
                        pair.out.write(all, from + done, piece);
                        done += piece;
                    }
                    return "written";
                });
                byte[] got = pair.in.readNBytes(count); // begins when the writer has ended, or waits
                assertThat(Arrays.equals(got, 0, count, all, from, from + count))
                        .isTrue();
                assertThat(writer.outcome()).isEqualTo("written");
                at += count;
            }
        }
    }

    private record AutoCloseableStreams(InputStream in, OutputStream out, AutoCloseable ends) implements AutoCloseable {
        static AutoCloseableStreams open(boolean channels) throws IOException {
            if (channels) {
                ChannelPair pair = ChannelPair.open(FAST, true);
                return new AutoCloseableStreams(
                        pair.server().socket().getInputStream(),
                        pair.client().socket().getOutputStream(),
                        pair);
            }
            SocketPair pair = SocketPair.open(true);
            return new AutoCloseableStreams(pair.serverIn(), pair.clientOut(), pair);
        }

        @Override
        public void close() throws IOException {
            in.close();
            out.close();
        }
    }
}
