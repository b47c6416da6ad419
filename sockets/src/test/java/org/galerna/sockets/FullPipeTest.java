package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.sockets.platform.PlatformChannels;
import org.galerna.testkit.Payload;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that count on what TCP takes while nobody reads: several times what a pipe has room for. */
class FullPipeTest {
    static final int MUCH = 1_500_000;
    static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final SelectorProvider PLATFORM = PlatformChannels.provider();
    static final SelectorProvider FAST = new FastSelectorProvider(FastSockets.forChannels());

    @BeforeAll
    static void install() {
        FastSockets.install();
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
        socket.getOutputStream().write(Payload.of(written, MUCH));
        byte[] got = socket.getInputStream().readNBytes(MUCH);
        return Arrays.equals(got, Payload.of(read, MUCH)) ? "all read" : got.length + " bytes, not what was written";
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
        ByteBuffer source = ByteBuffer.wrap(Payload.of(written, MUCH));
        while (source.hasRemaining()) {
            channel.write(source);
        }
        ByteBuffer target = ByteBuffer.allocate(MUCH);
        while (target.hasRemaining() && channel.read(target) >= 0) {
            Thread.onSpinWait();
        }
        return Arrays.equals(target.array(), Payload.of(read, MUCH)) ? "all read" : "not what was written";
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
            pair.clientOut().write(Payload.of(5, MUCH));
            pair.client().shutdownOutput();
            assertThat(pair.clientIn().readAllBytes()).isEqualTo(Payload.of(5, MUCH));
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
                pair.clientOut().write(Payload.of(8, some));
                return "written";
            });
            assertThat(pair.serverIn().readNBytes(some)).isEqualTo(Payload.of(8, some));
            assertThat(writer.outcome()).isEqualTo("written");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasWrittenBeforeTheEndIsReadBeforeIt(boolean half) throws Exception {
        try (SocketPair pair = SocketPair.open(true)) {
            pair.clientOut().write(Payload.of(10, MUCH));
            if (half) {
                pair.client().shutdownOutput();
            } else {
                pair.client().close();
            }
            SocketPair.awaitAvailable(pair.serverIn(), 1);
            assertThat(pair.serverIn().readAllBytes()).isEqualTo(Payload.of(10, MUCH));
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
                    client.getOutputStream().write(Payload.of(round, 5000)); // turns while nobody has read anything
                }
                for (int round = 0; round < 200; round++) {
                    assertThat(server.getInputStream().readNBytes(5000)).isEqualTo(Payload.of(round, 5000));
                }
            }
        }
    }
}
