package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.tcp.network.Address;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks with more peers to talk to than connections to keep. */
@ExtendWith(FewConnections.class)
class PausesTest {
    private static final int[] LENGTHS = {8, 100, 5000};

    private static void run(String link, int ranks, RankProgram program) {
        List<InProcessWireup> job = TestJobs.of(ranks);
        RankThreads.run(ranks, me -> {
            try (LinkRank rank = LinkRank.open(LinkProvider.named(link), job.get(me), LinkOptions.DEFAULT)) {
                rank.wireup().fence();
                program.run(rank);
            }
        });
    }

    private interface RankProgram {
        void run(LinkRank rank) throws Exception;
    }

    @Test
    void connectionsAboveTheLimitArePausedAndOpenedAgain() {
        pauseAndOpenAgain("tcp", 1);
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"tcp", "tcp-blocking", "unix"})
    void connectionsOfEveryKindArePausedAndOpenedAgain(String link) {
        pauseAndOpenAgain(link, LENGTHS.length);
    }

    private static void pauseAndOpenAgain(String link, int times) {
        int ranks = 8;
        AtomicInteger few = new AtomicInteger();
        run(link, ranks, rank -> {
            LinkState own = LinkState.of(rank.link());
            for (int round = 1; round <= times; round++) {
                for (int peer = 0; peer < ranks; peer++) {
                    if (peer != rank.rank()) {
                        rank.send(peer, LENGTHS[round - 1], round * 100 + rank.rank());
                    }
                }
                for (int peer = 0; peer < ranks; peer++) {
                    if (peer != rank.rank()) {
                        rank.expect(peer, LENGTHS[round - 1], round * 100 + peer);
                    }
                }
                rank.pollUntil("few are connected", () -> own.connections() <= FewConnections.KEPT);
                few.incrementAndGet();
                int rounds = round;
                rank.pollUntil("all have paused", () -> few.get() >= rounds * ranks);
                assertThat(rank.lost()).isEmpty();
            }
        });
    }

    @Test
    void aRankThatComputesIsSentToOverAConnectionThatWasPausedBehindItsBack() throws Exception {
        int ranks = 6;
        CyclicBarrier computing = new CyclicBarrier(2);
        run("tcp", ranks, rank -> {
            LinkState own = LinkState.of(rank.link());
            if (rank.rank() == 0) {
                rank.send(3, 8, 1);
                rank.pollUntil("paused", () -> own.isPaused(3));
                rank.send(3, 8, 2);
                rank.pollUntil("sent again", () -> own.hasSentAll(3));
                computing.await(60, TimeUnit.SECONDS);
                rank.expect(3, 8, 3);
            } else if (rank.rank() == 3) {
                computing.await(60, TimeUnit.SECONDS); // looks at nothing before
                rank.expect(0, 8, 1);
                rank.expect(0, 8, 2);
                rank.send(0, 8, 3);
            }
            rank.barrier();
        });
    }

    /** As long as there is something to read from the peer, a call that comes to nothing is not the end of it. */
    @Test
    void aCallThatComesToNothingIsMadeAgainWhenThePausedConnectionIsReadToItsEnd() throws Exception {
        int ranks = 6;
        CyclicBarrier paused = new CyclicBarrier(2);
        CyclicBarrier called = new CyclicBarrier(2);
        AtomicBoolean over = new AtomicBoolean();
        List<InProcessWireup> job = TestJobs.of(ranks);
        try (SocketChannel nobody =
                SocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            RankThreads.run(ranks, me -> {
                Wireup wireup = me == 0 ? new WrongAddress(job.get(0), nobody) : job.get(me);
                try (LinkRank rank = LinkRank.open(LinkProvider.named("tcp"), wireup, LinkOptions.DEFAULT)) {
                    LinkState own = LinkState.of(rank.link());
                    if (me == 0) {
                        rank.expect(3, 8, 1);
                        rank.expect(2, 8, 1);
                        rank.expect(4, 8, 1);
                        rank.pollUntil("paused", () -> own.isPaused(3));
                        paused.await(60, TimeUnit.SECONDS);
                        rank.send(3, 8, 2);
                        rank.pollUntil("the end of the call", () -> !own.isCalling(3));
                        assertThat(rank.lost()).isEmpty();
                        called.await(60, TimeUnit.SECONDS);
                        rank.pollUntil("the loss", () -> rank.lost().containsKey(3));
                        assertThat(rank.lost().get(3)).contains("nobody listens at its address");
                        over.set(true);
                    } else if (me >= 2 && me <= 4) {
                        rank.send(0, 8, 1);
                    }
                    if (me == 3) {
                        paused.await(60, TimeUnit.SECONDS); // looks at nothing before
                        called.await(60, TimeUnit.SECONDS);
                    }
                    rank.pollUntil("the end", over::get);
                }
            });
        }
    }

    /** Knows another address of rank 3, at which nobody listens. */
    private static final class WrongAddress extends ForwardingWireup {
        private final byte[] address;

        WrongAddress(Wireup real, SocketChannel bound) throws IOException {
            super(real);
            InetSocketAddress local = (InetSocketAddress) bound.getLocalAddress();
            address = Address.here(List.of(local.getAddress().getHostAddress() + " " + local.getPort()))
                    .encode();
        }

        @Override
        public String job() {
            return super.job() + " as rank 0 sees it"; // or ranks of a process share what they know
        }

        @Override
        public byte[] get(int rank, String key) {
            return rank == 3 && key.equals("galerna.tcp.0") ? address.clone() : super.get(rank, key);
        }
    }

    @Test
    @Tag("slow")
    void randomTrafficBetweenManyRanksArrivesInOrder() {
        int ranks = 10;
        int messages = 3000;
        long seed = Seeds.next("PausesTest");
        int[][] counts = new int[ranks][ranks];
        Random random = new Random(seed);
        int[][] targets = new int[ranks][messages];
        for (int rank = 0; rank < ranks; rank++) {
            for (int message = 0; message < messages; message++) {
                int target = (rank + 1 + random.nextInt(ranks - 1)) % ranks;
                targets[rank][message] = target;
                counts[rank][target]++;
            }
        }
        run("tcp", ranks, rank -> {
            int me = rank.rank();
            int[] sent = new int[ranks];
            int[] taken = new int[ranks];
            for (int target : targets[me]) {
                rank.send(target, LENGTHS[sent[target] % LENGTHS.length], sent[target]++);
                take(rank, taken, counts);
            }
            rank.pollUntil("everything is there, seed " + seed, () -> {
                take(rank, taken, counts);
                for (int peer = 0; peer < ranks; peer++) {
                    if (taken[peer] < counts[peer][me]) {
                        return false;
                    }
                }
                return true;
            });
            assertThat(rank.lost()).isEmpty();
            rank.barrier();
        });
    }

    private static void take(LinkRank rank, int[] taken, int[][] counts) {
        for (int peer = 0; peer < taken.length; peer++) {
            while (!rank.inbox(peer).isEmpty() && taken[peer] < counts[peer][rank.rank()]) {
                rank.expect(peer, LENGTHS[taken[peer] % LENGTHS.length], taken[peer]++);
            }
        }
    }
}
