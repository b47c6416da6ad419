package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.Channel;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Region;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.network.Address;
import org.galerna.link.tcp.wire.ChannelWire;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.link.wireup.JobKey;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.link.LinkSubject;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which connections there are, what they cost, and that what they carry does not get into each other's way. */
class ConnectionsTest implements LinkSubject {
    private static final int RELEASE = 1000;

    @Override
    public LinkProvider provider() {
        return LinkProvider.named("tcp");
    }

    @Override
    public List<InProcessWireup> newJob(int size) {
        return TestJobs.of(size);
    }

    @Test
    @Tag("slow")
    void sixtyFourRanksConnectOnlyWhereTheyTalk() {
        int size = 64;
        AtomicInteger talked = new AtomicInteger();
        runJob(size, rank -> {
            int next = (rank.rank() + 1) % size;
            int previous = (rank.rank() + size - 1) % size;
            for (int round = 0; round < 10; round++) {
                rank.sendLong(next, round);
                assertThat(rank.receiveLong(previous)).isEqualTo(round);
            }
            assertThat(LinkState.of(rank.link()).connections()).isEqualTo(2);
            talked.incrementAndGet();
            rank.pollUntil("all have looked", () -> talked.get() == size);
        });
    }

    @Test
    void aConnectionOfManyRanksTakesLessThan64KiB() {
        Sizes sizes = Sizes.of(LinkOptions.DEFAULT, 64);
        assertThat(sizes.ringBytes() + Frames.bytes(sizes.maximumFrame())).isLessThan(64 * 1024 - 4096);
    }

    @ParameterizedTest
    @Fault({20, 27})
    @ValueSource(strings = {"tcp", "tcp-blocking", "unix"})
    @Tag("slow")
    void comingAndGoingLeavesNothingBehind(String name) {
        LinkProvider provider = LinkProvider.named(name);
        comeAndGo(provider, 5);
        long files = openFiles();
        comeAndGo(provider, 100);
        Deadline.after(RankThreads.LIMIT).await("no thread is left", () -> threads() == 0);
        assertThat(openFiles()).as("open files").isLessThan(files + 10);
    }

    private void comeAndGo(LinkProvider provider, int times) {
        List<InProcessWireup> job = newJob(3);
        RankThreads.run(3, me -> {
            for (int time = 0; time < times; time++) {
                try (LinkRank rank = LinkRank.open(provider, job.get(me), LinkOptions.DEFAULT)) {
                    rank.barrier();
                }
            }
        });
    }

    private static long openFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("galerna-"))
                .count();
    }

    /** The peer's process is gone, and nobody has polled since: claims say so all the same. */
    @Test
    @Fault(17)
    void claimsAreRefusedOnceWritingHasFailed() {
        List<InProcessWireup> job = newJob(2);
        RankThreads.run(2, me -> {
            InProcessWireup wireup = job.get(me);
            if (me == 1) {
                wireup.put("galerna.tcp.0", Address.here(List.of("127.0.0.1 1")).encode());
                wireup.fence();
                connectAndBreakOff(wireup);
                wireup.fence();
                return;
            }
            try (Link link = provider().open(wireup, LinkOptions.DEFAULT)) {
                wireup.fence();
                wireup.fence();
                Channel channel = link.connect(1);
                Deadline.after(RankThreads.LIMIT).await("a refusal", () -> {
                    long claim = channel.claim(1000);
                    if (claim >= 0) {
                        channel.commit(claim, 1000);
                        channel.flush();
                    }
                    return claim == Channel.CLOSED;
                });
            }
        });
    }

    private static void connectAndBreakOff(InProcessWireup wireup) throws IOException {
        String[] socket = Address.decode(wireup.get(0, "galerna.tcp.0"))
                .sockets()
                .getFirst()
                .split(" ");
        try (SocketChannel peer = SocketChannel.open(
                new InetSocketAddress(InetAddress.ofLiteral(socket[0]), Integer.parseInt(socket[1])))) {
            Handshake.Initiator handshake = new Handshake.Initiator(
                    new Authenticator("", JobKey.of(wireup)), new Hello(Hello.CONNECT, 0, 1, 0, 2, 0));
            assertThat(handshake.advance(new ChannelWire(peer))).isTrue();
            assertThat(handshake.verdict()).isEqualTo(Handshake.ACCEPTED);
            peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
    }

    @Test
    @Tag("slow") // how far a transfer gets meanwhile depends on the machine
    void framesPassThePiecesOfALargeTransfer() {
        int bytes = 200 << 20;
        runJob(2, rank -> {
            if (rank.rank() == 1) {
                MemorySegment memory = Arena.ofAuto().allocate(bytes);
                try (Region region = rank.link().rma().register(memory)) {
                    rank.sendRegion(0, region);
                    rank.sendLong(0, rank.receiveLong(0));
                    rank.receiveLong(0);
                }
                return;
            }
            AtomicBoolean done = new AtomicBoolean();
            MemorySegment local = Arena.ofAuto().allocate(bytes);
            rank.link().rma().get(1, rank.receiveRegion(1), 0, local, failure -> {
                assertThat(failure).isNull();
                done.set(true);
            });
            rank.sendLong(1, 7);
            assertThat(rank.receiveLong(1)).isEqualTo(7);
            assertThat(done)
                    .as("the transfer is over before a frame got through")
                    .isFalse();
            rank.pollUntil("the transfer", done::get);
            rank.sendLong(1, RELEASE);
        });
    }

    @Test
    @Fault(21)
    void aPeerThatReadsNothingHoldsUpNobodyElse() {
        AtomicBoolean flooded = new AtomicBoolean();
        runJob(3, rank -> {
            if (rank.rank() == 1) {
                rank.barrier();
                Deadline.after(RankThreads.LIMIT).await("the others have talked", flooded::get);
            } else if (rank.rank() == 2) {
                rank.barrier();
                for (int round = 0; round < 1000; round++) {
                    rank.sendLong(0, rank.receiveLong(0));
                }
            } else {
                rank.barrier();
                Channel deaf = rank.link().connect(1);
                long claim;
                while ((claim = deaf.claim(4000)) != Channel.BACK_PRESSURE) {
                    Payload.fill(deaf.memory(), Channel.offset(claim), 4000, 1);
                    deaf.commit(claim, 4000);
                    deaf.flush();
                }
                for (int round = 0; round < 1000; round++) {
                    rank.sendLong(2, round);
                    assertThat(rank.receiveLong(2)).isEqualTo(round);
                }
                flooded.set(true);
            }
        });
    }
}
