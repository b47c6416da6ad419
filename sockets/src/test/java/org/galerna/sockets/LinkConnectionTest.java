package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.galerna.sockets.Actions.run;
import static org.galerna.sockets.Actions.untilClosed;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.Channel;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.sockets.connection.FastConnection;
import org.galerna.sockets.network.Ends;
import org.galerna.sockets.network.LinkCall;
import org.galerna.sockets.network.LinkConnection;
import org.galerna.sockets.network.LinkMessage;
import org.galerna.sockets.offer.OfferRegistry;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends in one process, over plain TCP and a link, with pipes that the test offers when it likes. */
class LinkConnectionTest {
    private static final int RING = 1 << 14;
    private static final int MOST = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Executor THREADS = work -> Thread.ofPlatform().daemon().start(work);

    private final Settings settings = new Settings(
            true, false, List.of(), List.of(), 0, 0, RING, 1024, Path.of("/dev/shm"), List.of("threads"), null);
    private final OfferRegistry<Ends> none = new OfferRegistry<>(settings);
    private final OfferRegistry<Ends> registry = new OfferRegistry<>(settings);
    private Link callersLink;
    private Link calledLink;
    private LinkConnection caller;
    private LinkConnection called;
    private Ends ends;
    private Socket client;
    private Socket server;
    private FastConnection near;
    private FastConnection far;

    /** Opens the link. */
    LinkProvider provider() {
        return LinkProvider.named("threads");
    }

    @BeforeEach
    void connect() throws Exception {
        List<InProcessWireup> wireups = InProcessWireup.create(2, (rank, status, reason) -> {});
        LinkProvider link = provider();
        CompletableFuture<Link> other = CompletableFuture.supplyAsync(() -> open(link, wireups.get(1)), THREADS);
        callersLink = open(link, wireups.get(0));
        calledLink = other.get(60, TimeUnit.SECONDS);
        caller = new LinkConnection(callersLink, 1, none, THREADS);
        called = new LinkConnection(calledLink, LinkCall.CALLER, registry, THREADS);
        caller.start();
        called.start();
        try (ServerSocketChannel channel = ServerSocketChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = SocketChannel.open(channel.getLocalAddress()).socket();
            server = channel.accept().socket();
        }
        ends = Ends.of((InetSocketAddress) client.getLocalSocketAddress(), (InetSocketAddress)
                client.getRemoteSocketAddress());
        near = connection(client);
        far = connection(server);
    }

    private static Link open(LinkProvider provider, InProcessWireup wireup) {
        Link link = provider.open(wireup, new LinkOptions(0, 0, true));
        wireup.fence();
        return link;
    }

    private static FastConnection connection(Socket socket) throws IOException {
        return new FastConnection(socket.getInputStream(), socket.getOutputStream(), new NoOptions(), "test", null);
    }

    @AfterEach
    void close() throws Exception {
        near.close(false);
        client.close();
        far.close(false);
        server.close();
        callersLink.close();
    }

    private void offer() {
        assertThat(Counters.INSTANCE.open(MOST)).isTrue();
        caller.offer(ends, RING, near);
    }

    private void becomeFast() throws Exception {
        registry.accepted(ends, far);
        offer();
        Deadline.after(PATIENCE).await("a pipe", () -> near.isFast() && far.isFast());
        exchange(near, far);
        exchange(far, near);
    }

    private static void exchange(FastConnection from, FastConnection to) throws IOException {
        from.write(new byte[] {1, 2, 3}, 0, 3);
        byte[] target = new byte[3];
        for (int got = 0; got < 3; ) {
            got += to.read(target, got, 3 - got, 0);
        }
        assertThat(target).containsExactly(1, 2, 3);
    }

    private static void send(FastConnection connection, long seed) throws IOException {
        Random random = new Random(seed);
        byte[] piece = new byte[20_000];
        for (int round = 0; round < 100; round++) {
            int length = 1 + random.nextInt(random.nextInt(5) == 0 ? piece.length : 300);
            for (int index = 0; index < length; index++) {
                piece[index] = (byte) random.nextInt();
            }
            connection.write(piece, 0, length);
        }
        connection.shutdownOutput();
    }

    /** Compares what comes with what {@link #send} sends, and expects the end behind it. */
    private static void receive(FastConnection connection, long seed) throws IOException {
        Random random = new Random(seed);
        byte[] piece = new byte[20_000];
        for (int round = 0; round < 100; round++) {
            int length = 1 + random.nextInt(random.nextInt(5) == 0 ? piece.length : 300);
            for (int got = 0; got < length; ) {
                int count = connection.read(piece, got, length - got, 0);
                assertThat(count).as("round " + round).isPositive();
                got += count;
            }
            for (int index = 0; index < length; index++) {
                if (piece[index] != (byte) random.nextInt()) {
                    throw new AssertionError("another byte in round " + round);
                }
            }
        }
    }

    @Test
    void bytesStayInOrderWhereverTheConnectionTurnsToTheLink() throws Exception {
        Random random = new Random(Seeds.next("LinkConnectionTest"));
        for (int round = 0; round < 15; round++) {
            if (round > 0) {
                close();
                connect();
            }
            long there = random.nextLong();
            long back = random.nextLong();
            CompletableFuture<Void> sender = run(() -> send(near, there));
            CompletableFuture<Void> answerer = run(() -> send(far, back));
            CompletableFuture<Void> offerer = run(() -> {
                LockSupport.parkNanos(new Random(there).nextInt(3_000_000));
                registry.accepted(ends, far);
                offer();
            });
            CompletableFuture<Void> receiver = run(() -> receive(near, back));
            receive(far, there);
            CompletableFuture.allOf(sender, answerer, offerer, receiver).get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void anEndOfTcpThatOvertakesTheTurnIsNotThatOfTheStream() throws Exception {
        for (int round = 0; round < 20; round++) {
            if (round > 0) {
                close();
                connect();
            }
            registry.accepted(ends, far);
            SocketPair.Blocked reader = SocketPair.blocked(false, () -> {
                byte[] all = new byte[5];
                int count = 0;
                for (int more = far.read(all, 0, 5, 0); more > 0; more = far.read(all, count, 5 - count, 0)) {
                    count += more;
                    if (count == 5) {
                        break;
                    }
                }
                return count;
            });
            offer();
            Deadline.after(PATIENCE).await("a pipe", near::isFast);
            near.write(new byte[5], 0, 5);
            near.close(false);
            client.close(); // at once: the link may be behind
            assertThat(reader.outcome()).isEqualTo("5");
        }
    }

    @Test
    void anOfferThatIsTakenBackIsNotTakenUp() throws Exception {
        offer();
        near.close(false);
        Deadline.after(PATIENCE).await("nobody to wait", () -> caller.isIdle());
        awaitEarlierMessages();
        registry.accepted(ends, far);
        assertThat(far.isFast()).isFalse();
    }

    /** Messages are taken in their order: when the offer for another connection was, those before it were. */
    private void awaitEarlierMessages() throws Exception {
        Ends others = Ends.of((InetSocketAddress) client.getRemoteSocketAddress(), (InetSocketAddress)
                client.getLocalSocketAddress());
        FastConnection one = connection(client);
        FastConnection other = connection(server);
        registry.accepted(others, other);
        assertThat(Counters.INSTANCE.open(MOST)).isTrue();
        caller.offer(others, RING, one);
        Deadline.after(PATIENCE).await("a pipe", other::isFast);
        one.close(false);
        other.close(false);
    }

    @Test
    void closingAtAnyMomentEndsWhateverIsUnderWay() throws Exception {
        for (int round = 0; round < 7; round++) {
            if (round > 0) {
                close();
                connect();
            }
            becomeFast();
            CompletableFuture<Void> writer = run(() -> untilClosed(() -> near.write(new byte[5000], 0, 5000)));
            CompletableFuture<Void> reader = run(() -> untilClosed(() -> far.read(new byte[3000], 0, 3000, 0)));
            CompletableFuture<Void> other = run(() -> untilClosed(() -> near.read(new byte[1], 0, 1, 0)));
            LockSupport.parkNanos(round * 100_000L);
            CompletableFuture<Void> closer = run(() -> far.close(false));
            near.close(false);
            CompletableFuture.allOf(writer, reader, other, closer).get(60, TimeUnit.SECONDS);
            Deadline.after(PATIENCE).await("the memory to be given back", () -> caller.isIdle() && called.isIdle());
        }
    }

    @Test
    void whoeverWaitsIsToldWhenTheLinkIsLost() throws Exception {
        becomeFast();
        SocketPair.Blocked reader = SocketPair.blocked(false, () -> near.read(new byte[1], 0, 1, 0));
        SocketPair.Blocked virtual = SocketPair.blocked(true, () -> far.read(new byte[1], 0, 1, 0));
        say(99, 0, 0, 0); // which ends it at both ends
        assertThat(virtual.outcome()).isEqualTo("java.net.SocketException(Connection reset)");
        assertThat(reader.outcome()).isEqualTo("java.net.SocketException(Connection reset)");
    }

    @Test
    void aConnectionThatHasNotTurnedOutlivesTheLink() throws Exception {
        offer();
        say(99, 0, 0, 0);
        Deadline.after(PATIENCE).await("its end", () -> caller.hasEnded() && called.hasEnded());
        exchange(near, far);
        exchange(far, near);
        near.close(false);
        client.close();
        assertThat(far.read(new byte[1], 0, 1, 0)).isEqualTo(-1);
    }

    /** What a process says that does not keep to the protocol: kind, value, and bytes that follow. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "99 0 0",
                "0 0 0",
                "6 1 10",
                "6 4 10",
                "6 -1 10",
                "6 3 16385",
                "7 1000000 0",
                "7 -1 0",
                "9 0 0",
                "9 3 0",
                "9 -1 0",
                "4 5 0",
                "2 65536 0",
                "1 16384 0",
                "1 16384 48",
                "1 3 48"
            })
    void whoDoesNotKeepToTheProtocolIsLost(String message) throws Exception {
        becomeFast();
        String[] parts = message.split(" ");
        say(Integer.parseInt(parts[0]), 0, Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
        Deadline.after(PATIENCE).await("its end", called::hasEnded);
        assertThatThrownBy(() -> {
                    while (true) {
                        far.read(new byte[10], 0, 10, 0);
                    }
                })
                .isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
    }

    @Test
    void whatConcernsAPipeThatIsGoneIsPassedOver() throws Exception {
        becomeFast();
        for (int kind = LinkMessage.ACCEPT; kind <= LinkMessage.URGENT_INLINE; kind++) {
            say(kind, 12345, 1, 0);
        }
        exchange(near, far);
        exchange(far, near);
        assertThat(called.hasEnded()).isFalse();
    }

    /** Says something to the process that was called, beside what the connection says. */
    private void say(int kind, int id, long value, int more) {
        Channel channel = callersLink.connect(1);
        long claim;
        do {
            claim = channel.claim(LinkMessage.HEADER_BYTES + more);
        } while (claim == Channel.BACK_PRESSURE);
        MemorySegment memory = channel.memory();
        long offset = Channel.offset(claim);
        memory.asSlice(offset, LinkMessage.HEADER_BYTES + more).fill((byte) 0);
        LinkMessage.header(memory, offset, kind, id, value);
        channel.commit(claim, LinkMessage.HEADER_BYTES + more);
        channel.flush();
    }
}
