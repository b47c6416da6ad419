package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.tcp.connecting.AttentiveClock;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.network.Address;
import org.galerna.link.tcp.wire.ChannelWire;
import org.galerna.link.tcp.wire.Closing;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.link.wireup.JobKey;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ranks that take their time, or had none. */
class HesitationTest {
    @BeforeEach
    void beImpatient() {
        System.setProperty(PeerTimeout.PROPERTY, "0.5");
    }

    @AfterEach
    void bePatientAgain() {
        System.clearProperty(PeerTimeout.PROPERTY);
    }

    /**
     * It may have let the caller in: a second call would find the first connection, whose end would be a loss. It may be
     * stopped, so it is waited for until it ends.
     */
    @Test
    @Fault(19)
    void aPeerThatKnowsWhoCallsIsCalledAtNoOtherAddressAndWaitedFor() throws IOException {
        List<InProcessWireup> job = TestJobs.of(2);
        AtomicInteger callers = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(1);
        try (ServerSocketChannel first = listen();
                ServerSocketChannel second = listen()) {
            RankThreads.run(2, me -> {
                InProcessWireup wireup = job.get(me);
                if (me == 1) {
                    wireup.put(
                            "galerna.tcp.0",
                            Address.here(List.of(socket(first), socket(second))).encode());
                    wireup.fence();
                    return;
                }
                try (LinkRank rank = LinkRank.open(LinkProvider.named("tcp"), wireup, LinkOptions.DEFAULT)) {
                    serve(first, wireup, callers, ended);
                    serve(second, wireup, callers, ended);
                    long begin = System.nanoTime();
                    rank.link().connect(1);
                    rank.pollUntil("three times the time-out", () -> System.nanoTime() - begin > 1_500_000_000L);
                    assertThat(rank.lost()).isEmpty();
                    ended.countDown();
                    rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
                    assertThat(rank.lost().get(1))
                            .matches("nobody listens at its address any more|no connection to it within .*");
                }
            });
        }
        assertThat(callers).hasValue(1);
    }

    /** As of a process that is stopped: its system lets a caller in, and nobody answers. */
    @Test
    @Fault(19)
    void aPeerWhoseSystemLetsCallersInIsWaitedFor() throws IOException {
        waitForAPeerThatDoesNotAnswer(2);
    }

    @Test
    @Fault(19)
    @Tag("slow")
    void aPeerWithOneAddressWhoseSystemLetsCallersInIsWaitedFor() throws IOException {
        waitForAPeerThatDoesNotAnswer(1);
    }

    private static void waitForAPeerThatDoesNotAnswer(int addresses) throws IOException {
        List<InProcessWireup> job = TestJobs.of(2);
        try (ServerSocketChannel first = listen();
                ServerSocketChannel second = listen()) {
            List<String> sockets = List.of(socket(first), socket(second));
            RankThreads.run(2, me -> {
                InProcessWireup wireup = job.get(me);
                if (me == 1) {
                    wireup.put(
                            "galerna.tcp.0",
                            Address.here(sockets.subList(0, addresses)).encode());
                    wireup.fence();
                    return;
                }
                try (LinkRank rank = LinkRank.open(LinkProvider.named("tcp"), wireup, LinkOptions.DEFAULT)) {
                    long begin = System.nanoTime();
                    rank.link().connect(1);
                    rank.pollUntil("three times the time-out", () -> System.nanoTime() - begin > 1_500_000_000L);
                    assertThat(rank.lost()).isEmpty();
                    Closing.quietly(first);
                    Closing.quietly(second);
                    rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
                    assertThat(rank.lost().get(1)).contains("nobody listens at its address any more");
                }
            });
        }
    }

    private static ServerSocketChannel listen() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static String socket(ServerSocketChannel listener) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        return address.getAddress().getHostAddress() + " " + address.getPort();
    }

    /** Lets all who call prove themselves, counts them, and says nothing more until it ends. */
    private static void serve(
            ServerSocketChannel listener, InProcessWireup wireup, AtomicInteger callers, CountDownLatch ended) {
        Authenticator proof = new Authenticator("", JobKey.of(wireup));
        Thread.ofPlatform().daemon().start(() -> {
            while (listener.isOpen()) {
                try (SocketChannel caller = listener.accept()) {
                    Handshake acceptor = new Handshake.Acceptor(proof, 1, 2, 0, hello -> {
                        callers.incrementAndGet();
                        await(ended);
                        Closing.quietly(listener);
                        return Handshake.LATER;
                    });
                    if (acceptor.advance(new ChannelWire(caller))) {
                        assertThat(ended.getCount()).isZero();
                    }
                } catch (IOException gone) {
                    // the caller, or the listener
                }
            }
        });
        Thread.ofPlatform().daemon().start(() -> {
            await(ended);
            Closing.quietly(listener);
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** While a thread did not run it cannot have seen anything. */
    @Test
    @Fault(19)
    void timeWithoutALookCountsForOneLookAlone() {
        AttentiveClock clock = new AttentiveClock(100, 5_000);
        clock.look(5_040);
        assertThat(clock.now()).isEqualTo(40);
        clock.look(9_000_000_000_040L);
        assertThat(clock.now()).isEqualTo(140);
        clock.look(9_000_000_000_130L);
        assertThat(clock.now()).isEqualTo(230);
    }
}
