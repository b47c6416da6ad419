package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.galerna.link.Channel;
import org.galerna.link.Entrance;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.tcp.connecting.Refusals;
import org.galerna.link.tcp.network.Address;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.link.wireup.JobKey;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links whose connections come in by somebody else's socket: of two ranks either calls, and the other one waits. */
class EntranceTest {
    private static final String NAME_END = "\n";
    private static final Executor THREADS = task -> Thread.ofPlatform().start(task);

    /** The socket of one rank, and what has come to it under which name. */
    private static final class Doorway implements AutoCloseable {
        final ServerSocketChannel listener;

        Doorway() throws IOException {
            listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }

        SocketAddress address() {
            try {
                return listener.getLocalAddress();
            } catch (IOException closed) {
                throw new UncheckedIOException(closed);
            }
        }

        /** Reads the preamble, as whoever accepts does, and hands the channel over. */
        void handOver(String name, Consumer<SocketChannel> receiver) {
            try {
                SocketChannel channel = listener.accept();
                byte[] preamble = (name + NAME_END).getBytes(StandardCharsets.UTF_8);
                ByteBuffer read = ByteBuffer.allocate(preamble.length);
                while (read.hasRemaining() && channel.read(read) >= 0) {
                    // the rest
                }
                assertThat(read.array()).isEqualTo(preamble);
                receiver.accept(channel);
            } catch (IOException closed) {
                // the test is over
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    /** A job of two ranks with an entrance. */
    private static final class PairWithEntrance extends ForwardingWireup {
        private final Doorway doorway;
        private final boolean called;
        final CompletableFuture<Consumer<SocketChannel>> receiver = new CompletableFuture<>();

        PairWithEntrance(Wireup inner, Doorway doorway, boolean called) {
            super(inner);
            this.doorway = doorway;
            this.called = called;
        }

        @Override
        public Optional<Entrance> entrance() {
            return Optional.of(new Entrance() {
                @Override
                public Optional<SocketAddress> address(int peer) {
                    return called ? Optional.empty() : Optional.of(doorway.address());
                }

                @Override
                public byte[] preamble(String name) {
                    return (name + NAME_END).getBytes(StandardCharsets.UTF_8);
                }

                @Override
                public Reception receive(String name, Consumer<SocketChannel> taker) {
                    receiver.complete(taker);
                    if (called) {
                        Thread.ofPlatform().daemon().start(() -> {
                            while (doorway.listener.isOpen()) {
                                doorway.handOver(name, taker);
                            }
                        });
                    }
                    return () -> {};
                }
            });
        }
    }

    private static List<PairWithEntrance> pair(Doorway doorway, int calledRank) {
        List<InProcessWireup> job = TestJobs.of(2);
        return List.of(
                new PairWithEntrance(job.get(0), doorway, calledRank == 0),
                new PairWithEntrance(job.get(1), doorway, calledRank == 1));
    }

    private static long managerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("galerna-tcp"))
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void eitherRankMayBeTheOneThatIsCalled(int calledRank) throws IOException {
        try (Doorway doorway = new Doorway()) {
            List<PairWithEntrance> job = pair(doorway, calledRank);
            RankThreads.run(2, me -> {
                try (LinkRank rank = LinkRank.open(LinkProvider.named("tcp"), job.get(me), LinkOptions.DEFAULT)) {
                    rank.sendLong(1 - me, 42 + me);
                    assertThat(rank.receiveLong(1 - me)).isEqualTo(43 - me);
                    assertThat(((SocketLink) rank.link()).refusals().of(Refusals.Kind.NO_HANDSHAKE))
                            .isZero();
                    rank.barrier();
                }
            });
        }
        Deadline.after(RankThreads.LIMIT).await("the end of the thread", () -> managerThreads() == 0);
    }

    /** The wire-up may not have said yet what is needed to answer, and nobody may wait for that on the manager's thread. */
    @Test
    void whoComesBeforeItIsExpectedIsAnsweredLater() throws IOException {
        try (Doorway doorway = new Doorway()) {
            List<PairWithEntrance> job = pair(doorway, 1);
            Link caller = LinkProvider.named("tcp").open(job.get(0), LinkOptions.DEFAULT);
            Link called = LinkProvider.named("tcp").open(job.get(1), LinkOptions.DEFAULT);
            CompletableFuture<Void> fence = CompletableFuture.runAsync(job.get(0)::fence, THREADS);
            job.get(1).fence();
            fence.join();
            Channel out = caller.connect(1);
            // the channel is handed over, and lies there; then the other rank wants to talk, too
            Deadline patience = Deadline.after(RankThreads.LIMIT);
            patience.await("the hand-over", () -> arrivals(called) == 1);
            called.connect(0);
            patience.await("both connections", () -> connections(caller) == 1 && connections(called) == 1);
            assertThat(out.peer()).isEqualTo(1);
            caller.close();
            called.close();
        }
    }

    private static int arrivals(Link link) {
        return LinkState.of(link).waitingArrivals();
    }

    private static int connections(Link link) {
        return LinkState.of(link).connections();
    }

    /** Whoever shares a process with the silent rank would have it know whom to call. So here it has an address, and no more. */
    @Test
    void whoIsNeverCalledSaysSo() throws IOException {
        System.setProperty(PeerTimeout.PROPERTY, "0.5");
        try (Doorway doorway = new Doorway()) {
            List<PairWithEntrance> job = pair(doorway, 1);
            Wireup silent = job.get(0);
            JobKey.publish(silent);
            silent.put("galerna.tcp.0", Address.here(List.of("0")).encode());
            CompletableFuture<Void> fence = CompletableFuture.runAsync(silent::fence, THREADS);
            List<String> reasons = new ArrayList<>();
            try (Link called = LinkProvider.named("tcp").open(job.get(1), LinkOptions.DEFAULT)) {
                job.get(1).fence();
                fence.join();
                called.connect(0);
                Deadline.after(RankThreads.LIMIT).await("the loss", () -> {
                    called.poll(new Losses(reasons), 1);
                    return !reasons.isEmpty();
                });
            }
            assertThat(reasons).singleElement().asString().contains("it has not called");
        } finally {
            System.clearProperty(PeerTimeout.PROPERTY);
        }
    }

    private record Losses(List<String> reasons) implements FrameHandler {
        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            throw new AssertionError("nothing was sent");
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            reasons.add(reason);
        }
    }

    @Test
    void manyLinksShareOneThreadThatEndsWithTheLast() throws IOException {
        List<Link> links = new ArrayList<>();
        try (Doorway doorway = new Doorway()) {
            for (int each = 0; each < 5; each++) {
                links.add(LinkProvider.named("tcp").open(pair(doorway, 1).get(0), LinkOptions.DEFAULT));
            }
            assertThat(managerThreads()).isEqualTo(1);
            links.removeLast().close();
            assertThat(managerThreads()).isEqualTo(1);
            links.forEach(Link::close);
            assertThat(managerThreads()).isZero();
        }
    }
}
