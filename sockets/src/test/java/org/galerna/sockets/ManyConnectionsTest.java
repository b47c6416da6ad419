package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many connections of one process at once, of all kinds: channels of one selector and blocking sockets of virtual threads,
 * to a peer that is fast and to one that is not, and pipes in the same selector. All bytes come back as they were sent.
 */
class ManyConnectionsTest {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final Pattern PORT = Pattern.compile("port (\\d+)");
    private static final int ROUNDS = 30;

    /** A connection becomes fast beside what it carries, and on a busy machine that may take long. */
    private static final int MOST_ROUNDS = 10_000;

    private static final int LONGEST = 9000;
    private static final int PIPES = 10;

    private final SelectorProvider provider = new FastSelectorProvider(FastSockets.forChannels());
    private ChildProcess fast;
    private ChildProcess plain;

    @BeforeEach
    void start() throws Exception {
        FastSockets.install();
        fast = AgentJar.start(EchoSelector.class, "");
        plain = AgentJar.startPlain(EchoSelector.class);
        fast.awaitOut(text -> text.contains("port "), LONG);
        plain.awaitOut(text -> text.contains("port "), LONG);
    }

    @AfterEach
    void stop() throws Exception {
        fast.close();
        plain.close();
    }

    private static InetSocketAddress address(ChildProcess server) {
        Matcher matcher = PORT.matcher(server.out());
        assertThat(matcher.find()).isTrue();
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(matcher.group(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {100})
    void carryTheirOwnBytes(int connections) throws Exception {
        carry(connections);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1000})
    void carryTheirOwnBytesWhenTheyAreVeryMany(int connections) throws Exception {
        carry(connections);
    }

    private void carry(int connections) throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("ManyConnectionsTest: repeat with -Dtest.seed=" + seed);
        List<Conversation> conversations = new ArrayList<>();
        List<Future<Boolean>> blocking = new ArrayList<>();
        try (Selector selector = provider.openSelector();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int each = 0; each < connections; each++) {
                boolean toFast = each % 4 < 2;
                InetSocketAddress server = address(toFast ? fast : plain);
                Random random = new Random(seed + each);
                if (each % 2 == 0) {
                    conversations.add(new Conversation(provider.openSocketChannel(), server, random, toFast, selector));
                } else {
                    blocking.add(threads.submit(() -> blockingConversation(server, toFast, random) == toFast));
                }
            }
            List<Pipe> pipes = pipes(selector);
            converse(selector, conversations.size(), pipes);
            for (Future<Boolean> each : blocking) {
                assertThat(each.get()).as("a socket is fast if its peer is").isTrue();
            }
            for (Pipe pipe : pipes) {
                pipe.sink().close();
                pipe.source().close();
            }
        } finally {
            for (Conversation each : conversations) {
                each.channel.close();
            }
        }
        assertThat(conversations).allSatisfy(each -> assertThat(each.wasFast).isEqualTo(each.toFast));
        assertThat(fast.out() + plain.out()).doesNotContain("saw");
    }

    private List<Pipe> pipes(Selector selector) throws IOException {
        List<Pipe> pipes = new ArrayList<>();
        for (int each = 0; each < PIPES; each++) {
            Pipe pipe = provider.openPipe();
            pipe.source().configureBlocking(false);
            pipe.source().register(selector, SelectionKey.OP_READ);
            pipes.add(pipe);
        }
        return pipes;
    }

    /** Until all conversations are over, and all pipes have been heard, which are written to when half of them are. */
    private static void converse(Selector selector, int conversations, List<Pipe> pipes) throws IOException {
        int over = 0;
        int heard = 0;
        boolean asked = false;
        ByteBuffer one = ByteBuffer.allocate(1);
        while (over < conversations || heard < PIPES) {
            assertThat(selector.select(LONG.toMillis()))
                    .as("keys that are ready")
                    .isPositive();
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.attachment() instanceof Conversation conversation) {
                    over += conversation.goOn(key) ? 1 : 0;
                } else {
                    heard += ((Pipe.SourceChannel) key.channel()).read(one.clear());
                }
            }
            selector.selectedKeys().clear();
            if (!asked && over >= conversations / 2) {
                asked = true;
                for (Pipe pipe : pipes) {
                    assertThat(pipe.sink().write(ByteBuffer.allocate(1))).isEqualTo(1);
                }
            }
        }
    }

    /** Returns whether the connection was fast at the end. */
    private static boolean blockingConversation(InetSocketAddress server, boolean toFast, Random random)
            throws IOException {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int round = 0; !isOver(round, toFast, FastSockets.isFast(socket)); round++) {
                byte[] sent = message(random);
                socket.getOutputStream().write(sent);
                byte[] back = new byte[sent.length];
                in.readFully(back);
                assertThat(back).isEqualTo(sent);
            }
            return FastSockets.isFast(socket);
        }
    }

    private static boolean isOver(int rounds, boolean toFast, boolean isFast) {
        return rounds >= ROUNDS && (isFast || !toFast || rounds >= MOST_ROUNDS);
    }

    private static byte[] message(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(LONGEST)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A channel that sends messages and waits for each to come back. */
    private static final class Conversation {
        final SocketChannel channel;
        final boolean toFast;
        boolean wasFast;
        private final Random random;
        private ByteBuffer outgoing = ByteBuffer.allocate(0);
        private ByteBuffer incoming = ByteBuffer.allocate(0);
        private int rounds;

        Conversation(SocketChannel channel, InetSocketAddress server, Random random, boolean toFast, Selector selector)
                throws IOException {
            this.channel = channel;
            this.random = random;
            this.toFast = toFast;
            channel.configureBlocking(false);
            channel.register(selector, channel.connect(server) ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, this);
        }

        /** Returns true when it is over. */
        boolean goOn(SelectionKey key) throws IOException {
            if (key.isConnectable()) {
                channel.finishConnect();
            }
            if (incoming.hasRemaining() && channel.read(incoming) < 0) {
                throw new IOException("the connection has ended after " + rounds + " rounds");
            }
            if (!incoming.hasRemaining() && !outgoing.hasRemaining()) {
                assertThat(incoming.array()).isEqualTo(outgoing.array());
                if (isOver(rounds++, toFast, FastSockets.isFast(channel))) {
                    wasFast = FastSockets.isFast(channel);
                    channel.close();
                    return true;
                }
                outgoing = ByteBuffer.wrap(message(random));
                incoming = ByteBuffer.allocate(outgoing.capacity());
            }
            channel.write(outgoing);
            key.interestOps(SelectionKey.OP_READ | (outgoing.hasRemaining() ? SelectionKey.OP_WRITE : 0));
            return false;
        }
    }
}
