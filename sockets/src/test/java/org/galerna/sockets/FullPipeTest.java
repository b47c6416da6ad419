package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.sockets.platform.PlatformChannels;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that count on what TCP takes while nobody reads: several times what a pipe has room for. */
class FullPipeTest {
    private static final int MUCH = 1_500_000;
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final SelectorProvider PLATFORM = PlatformChannels.provider();
    private static final SelectorProvider FAST = new FastSelectorProvider(FastSockets.forChannels());

    @BeforeAll
    static void install() {
        FastSockets.install();
    }

    private static byte[] bytes(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bothEndsOfASocketWriteBeforeTheyRead(boolean virtual) throws Exception {
        try (SocketPair pair = SocketPair.open(true)) {
            for (int round = 0; round < 3; round++) {
                SocketPair.Blocked there = SocketPair.blocked(virtual, () -> writeThenRead(pair.server(), 1, 2));
                assertThat(writeThenRead(pair.client(), 2, 1)).isEqualTo("all read");
                assertThat(there.outcome()).isEqualTo("all read");
            }
            assertThat(FastSockets.isFast(pair.client())).isTrue();
        }
    }

    private static String writeThenRead(Socket socket, long written, long read) throws IOException {
        socket.getOutputStream().write(bytes(written, MUCH));
        byte[] got = socket.getInputStream().readNBytes(MUCH);
        return Arrays.equals(got, bytes(read, MUCH)) ? "all read" : got.length + " bytes, not what was written";
    }

    @ParameterizedTest
    @CsvSource({"true,false", "true,true", "false,false"})
    void bothEndsOfAChannelWriteBeforeTheyRead(boolean waits, boolean virtual) throws Exception {
        try (ChannelPair pair = ChannelPair.open(FAST, true)) {
            pair.client().configureBlocking(waits);
            pair.server().configureBlocking(waits);
            SocketPair.Blocked there = SocketPair.blocked(virtual, () -> writeThenRead(pair.server(), 1, 2));
            assertThat(writeThenRead(pair.client(), 2, 1)).isEqualTo("all read");
            assertThat(there.outcome()).isEqualTo("all read");
        }
    }

    private static String writeThenRead(SocketChannel channel, long written, long read) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes(written, MUCH));
        while (source.hasRemaining()) {
            channel.write(source);
        }
        ByteBuffer target = ByteBuffer.allocate(MUCH);
        while (target.hasRemaining() && channel.read(target) >= 0) {
            Thread.onSpinWait();
        }
        return Arrays.equals(target.array(), bytes(read, MUCH)) ? "all read" : "not what was written";
    }

    @Test
    void bothEndsSendArraysBeforeTheyReceive() throws Exception {
        try (SocketPair pair = SocketPair.open(true)) {
            SocketPair.Blocked there = SocketPair.blocked(false, () -> sendThenReceive(pair.server(), 3, 4));
            assertThat(sendThenReceive(pair.client(), 4, 3)).isEqualTo("all received");
            assertThat(there.outcome()).isEqualTo("all received");
        }
    }

    private static String sendThenReceive(Socket socket, long sent, long expected) throws IOException {
        FastOutput.of(socket)
                .write(new Random(sent).doubles(MUCH / Double.BYTES).toArray(), 0, MUCH / Double.BYTES);
        double[] got = new double[MUCH / Double.BYTES];
        FastInput.of(socket).read(got, 0, got.length);
        boolean same = Arrays.equals(
                got, new Random(expected).doubles(MUCH / Double.BYTES).toArray());
        return same ? "all received" : "not what was sent";
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEchoIsReadFromOnlyWhenAllWasWritten(boolean virtual) throws Exception {
        try (SocketPair pair = SocketPair.open(true)) {
            SocketPair.Blocked echo = SocketPair.blocked(virtual, () -> {
                byte[] piece = new byte[8192];
                for (int count; (count = pair.serverIn().read(piece)) > 0; ) {
                    pair.serverOut().write(piece, 0, count);
                }
                pair.server().shutdownOutput();
                return "echoed";
            });
            pair.clientOut().write(bytes(5, MUCH));
            pair.client().shutdownOutput();
            assertThat(pair.clientIn().readAllBytes()).isEqualTo(bytes(5, MUCH));
            assertThat(echo.outcome()).isEqualTo("echoed");
        }
    }

    @Test
    void aSocketAndAChannelWriteBeforeTheyRead() throws Exception {
        try (ServerSocketChannel listener = FAST.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            try (Socket socket = new Socket(address.getAddress(), address.getPort());
                    SocketChannel channel = listener.accept()) {
                new SocketPair(socket, channel.socket()).warmUp(true);
                channel.configureBlocking(false);
                SocketPair.Blocked there = SocketPair.blocked(false, () -> writeThenRead(channel, 6, 7));
                assertThat(writeThenRead(socket, 7, 6)).isEqualTo("all read");
                assertThat(there.outcome()).isEqualTo("all read");
            }
        }
    }

    /** How many bytes one write takes, and how many more until nothing is taken any more; nobody reads. */
    private static long[] taken(SelectorProvider provider, int sendBuffer, int receiveBuffer) throws IOException {
        try (ServerSocketChannel listener = provider.openServerSocketChannel()) {
            if (receiveBuffer > 0) {
                listener.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            }
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel client = provider.openSocketChannel();
            if (sendBuffer > 0) {
                client.setOption(StandardSocketOptions.SO_SNDBUF, sendBuffer);
            }
            client.connect(listener.getLocalAddress());
            try (ChannelPair pair = new ChannelPair(provider, client, listener.accept())) {
                pair.warmUp(provider == FAST);
                client.configureBlocking(false);
                ByteBuffer bytes = ByteBuffer.allocate(1 << 25);
                long first = client.write(bytes);
                long all = first;
                for (int inVain = 0; inVain < 50; ) { // TCP takes its time
                    LockSupport.parkNanos(1_000_000);
                    int count = client.write(bytes);
                    all += count;
                    inVain = count == 0 ? inVain + 1 : 0;
                }
                return new long[] {first, all};
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0,0", "4096,4096", "65536,65536", "2000000,2000000"})
    void aWriteThatDoesNotWaitTakesAsMuchAsWithoutThePipe(int sendBuffer, int receiveBuffer) throws Exception {
        long[] platform = taken(PLATFORM, sendBuffer, receiveBuffer);
        long[] fast = taken(FAST, sendBuffer, receiveBuffer);
        // what TCP takes varies a little from time to time; the pipe has room besides
        assertThat(fast[0]).as("at once").isGreaterThanOrEqualTo(platform[0] * 9 / 10);
        assertThat(fast[1]).as("in all").isGreaterThanOrEqualTo(platform[1] * 9 / 10);
    }

    /** Writes as long as a selector says so; nobody reads. */
    private static long takenBySelector(SelectorProvider provider) throws IOException {
        try (ChannelPair pair = ChannelPair.open(provider, provider == FAST);
                Selector selector = provider.openSelector()) {
            pair.client().configureBlocking(false);
            pair.client().register(selector, SelectionKey.OP_WRITE);
            ByteBuffer piece = ByteBuffer.allocate(50_000);
            long all = 0;
            while (selector.select(500) > 0) {
                selector.selectedKeys().clear();
                all += pair.client().write(piece.clear());
            }
            pair.server().configureBlocking(false);
            ByteBuffer target = ByteBuffer.allocate(100_000);
            for (long left = all; left > 0; ) {
                left -= pair.server().read(target.clear());
            }
            assertThat(selector.select(PATIENCE_MILLIS)).isEqualTo(1); // there is room again
            return all;
        }
    }

    @Test
    void aSelectorTellsOfAsMuchRoomAsWithoutThePipe() throws Exception {
        assertThat(takenBySelector(FAST)).isGreaterThanOrEqualTo(takenBySelector(PLATFORM) * 9 / 10);
    }

    @Test
    void smallBuffersHoldUpNobodyWhoReads() throws Exception {
        int some = MUCH / 8; // a few hundred times what the buffers hold
        try (SocketPair pair = SocketPair.open(true)) {
            pair.client().setSendBufferSize(4096);
            pair.server().setReceiveBufferSize(4096);
            SocketPair.Blocked writer = SocketPair.blocked(false, () -> {
                pair.clientOut().write(bytes(8, some));
                return "written";
            });
            assertThat(pair.serverIn().readNBytes(some)).isEqualTo(bytes(8, some));
            assertThat(writer.outcome()).isEqualTo("written");
        }
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
                byte[] all = bytes(9, MUCH);
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
            byte[] all = bytes(seed, 12_000_000);
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasWrittenBeforeTheEndIsReadBeforeIt(boolean half) throws Exception {
        try (SocketPair pair = SocketPair.open(true)) {
            pair.clientOut().write(bytes(10, MUCH));
            if (half) {
                pair.client().shutdownOutput();
            } else {
                pair.client().close();
            }
            SocketPair.awaitAvailable(pair.serverIn(), 1);
            assertThat(pair.serverIn().readAllBytes()).isEqualTo(bytes(10, MUCH));
            assertThat(pair.serverIn().read()).isEqualTo(-1);
        }
    }

    @Test
    void closingEndsAWriteThatTcpHasNoRoomFor() throws Exception {
        try (SocketPair pair = SocketPair.open(true)) {
            SocketPair.Blocked writer = SocketPair.blocked(false, () -> {
                while (true) {
                    pair.clientOut().write(new byte[MUCH]);
                }
            });
            pair.client().close();
            assertThat(writer.outcome()).startsWith("java.net.SocketException");
        }
        try (SocketPair pair = SocketPair.open(true)) {
            SocketPair.Blocked writer = SocketPair.blocked(false, () -> {
                while (true) {
                    pair.clientOut().write(new byte[MUCH]);
                }
            });
            pair.server().close();
            assertThat(writer.outcome()).startsWith("java.net.SocketException");
        }
    }

    @Test
    void aListenerOfFastSocketsServesWhoOnlyWrites() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    Socket server = listener.accept()) {
                for (int round = 0; round < 200; round++) {
                    client.getOutputStream().write(bytes(round, 5000)); // turns while nobody has read anything
                }
                for (int round = 0; round < 200; round++) {
                    assertThat(server.getInputStream().readNBytes(5000)).isEqualTo(bytes(round, 5000));
                }
            }
        }
    }
}
