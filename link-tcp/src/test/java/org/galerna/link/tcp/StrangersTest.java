package org.galerna.link.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.galerna.link.CommunicationException;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.tcp.connecting.Refusals;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.handshake.WrongProofException;
import org.galerna.link.tcp.network.Address;
import org.galerna.link.tcp.network.Interfaces;
import org.galerna.link.tcp.wire.ChannelWire;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of those who do not belong to the job: they are refused, and nobody else notices them. */
class StrangersTest {
    private static final Duration LONG = RankThreads.LIMIT;
    private static final int VICTIM = 0;

    @BeforeEach
    void beImpatient() {
        System.setProperty(PeerTimeout.PROPERTY, "2");
    }

    @AfterEach
    void bePatientAgain() {
        System.clearProperty(PeerTimeout.PROPERTY);
    }

    /** What happens while two ranks of a job could talk. */
    private interface Attack {
        void run(SocketLink victim, InetSocketAddress address) throws Exception;
    }

    /** Attacks a rank that has a connection already; afterwards all talk as before, one of them for the first time. */
    private static void attack(Attack attack) {
        List<InProcessWireup> job = TestJobs.of(3);
        RankThreads.run(3, me -> {
            try (InProcessWireup wireup = job.get(me);
                    LinkRank rank = LinkRank.open(LinkProvider.named("tcp"), wireup, LinkOptions.DEFAULT)) {
                if (me == 2) {
                    assertThat(rank.receiveLong(1)).isEqualTo(9);
                } else {
                    talk(rank, 1 - me);
                }
                if (me == VICTIM) {
                    attack.run((SocketLink) rank.link(), address(wireup, VICTIM));
                    talk(rank, 1);
                } else if (me == 1) {
                    talk(rank, VICTIM);
                    rank.sendLong(2, 9);
                }
                assertThat(rank.lost()).isEmpty();
                rank.barrier();
            }
        });
    }

    private static void talk(LinkRank rank, int peer) {
        rank.sendLong(peer, 5);
        assertThat(rank.receiveLong(peer)).isEqualTo(5);
    }

    private static InetSocketAddress address(InProcessWireup wireup, int rank) {
        String socket =
                Address.decode(wireup.get(rank, "galerna.tcp.0")).sockets().getFirst();
        int space = socket.indexOf(' ');
        return new InetSocketAddress(
                InetAddress.ofLiteral(socket.substring(0, space)), Integer.parseInt(socket.substring(space + 1)));
    }

    private static void awaitCount(SocketLink victim, Refusals.Kind kind, long count) {
        Deadline.after(LONG)
                .await(count + " of " + kind, () -> victim.refusals().of(kind) >= count);
    }

    private static void send(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Reads until the other side closes; the number of bytes. */
    private static int readAll(SocketChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try {
            while (channel.read(buffer) >= 0) {
                assertThat(buffer.hasRemaining()).isTrue();
            }
        } catch (IOException reset) {
            return buffer.position();
        }
        return buffer.position();
    }

    @ParameterizedTest
    @Fault(1)
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: a browser, and more of this kind\r\n\r\n",
                "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n and what comes after it, to fill the greeting",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003, as TLS begins",
                ""
            })
    void greetingsOfOtherProtocolsGetNoAnswer(String greeting) {
        attack((victim, address) -> {
            try (SocketChannel stranger = SocketChannel.open(address)) {
                send(stranger, Arrays.copyOf(greeting.getBytes(ISO_8859_1), 200));
                assertThat(readAll(stranger)).as("bytes of an answer").isZero();
            }
            awaitCount(victim, Refusals.Kind.NO_HANDSHAKE, 1);
        });
    }

    @Test
    @Fault(1)
    void randomBytesGetNoAnswer() {
        long seed = Seeds.next("randomBytesGetNoAnswer");
        attack((victim, address) -> {
            for (int round = 0; round < 200; round++) {
                byte[] bytes = new byte[64 + new Random(seed + round).nextInt(500)];
                new Random(seed + round).nextBytes(bytes);
                try (SocketChannel stranger = SocketChannel.open(address)) {
                    send(stranger, bytes);
                    assertThat(readAll(stranger)).as("bytes of an answer").isZero();
                }
            }
            awaitCount(victim, Refusals.Kind.NO_HANDSHAKE, 200);
        });
    }

    /** As TLS begins, with nonsense behind it; as TLS is not; and nothing at all. */
    @Test
    @Fault({1, 2})
    void strangersAtAPortWithTlsAreRefused() {
        System.setProperty(Security.PROPERTY, "true");
        try {
            attack((victim, address) -> {
                byte[] hello = new byte[200];
                System.arraycopy(new byte[] {22, 3, 1, 0, (byte) 195, 1, 0, 0, (byte) 191, 3, 3}, 0, hello, 0, 11);
                for (byte[] bytes : List.of(hello, new byte[200], new byte[] {22, 3, 1, 127, 127, 1})) {
                    try (SocketChannel stranger = SocketChannel.open(address)) {
                        send(stranger, bytes);
                        stranger.shutdownOutput();
                        readAll(stranger); // at most an alert; the connection is closed
                    }
                }
                awaitCount(victim, Refusals.Kind.NO_HANDSHAKE, 2);
                awaitCount(victim, Refusals.Kind.BROKEN, 1);
            });
        } finally {
            System.clearProperty(Security.PROPERTY);
        }
    }

    @Test
    @Fault(1)
    void connectionsThatAreClosedAtOnceAreCounted() {
        attack((victim, address) -> {
            for (int round = 0; round < 500; round++) {
                SocketChannel.open(address).close();
            }
            awaitCount(victim, Refusals.Kind.BROKEN, 500);
        });
    }

    @Test
    @Fault(2)
    void whoIsSilentOrSlowIsCutOff() {
        attack((victim, address) -> {
            try (SocketChannel silent = SocketChannel.open(address);
                    SocketChannel slow = SocketChannel.open(address)) {
                byte[] greeting = new Hello(Hello.CONNECT, 0, 2, VICTIM, 3, 0).encode(Authenticator.random());
                send(slow, new byte[] {greeting[0]});
                assertThat(readAll(silent)).isZero();
                assertThat(readAll(slow)).isZero();
            }
            awaitCount(victim, Refusals.Kind.TOO_SLOW, 2);
        });
    }

    @Test
    @Fault({1, 2})
    void aFloodOfSilentConnectionsIsBounded() {
        attack((victim, address) -> {
            List<SocketChannel> flood = new ArrayList<>();
            for (int number = 0; number < 1000; number++) {
                flood.add(SocketChannel.open(address));
            }
            awaitCount(victim, Refusals.Kind.TOO_MANY, 600);
            for (SocketChannel each : flood) {
                each.close();
            }
        });
    }

    /** The patience that the ranks of a slow machine need does not let strangers keep them out. */
    @Test
    @Fault({2, 30})
    void strangersThatMayWaitForLongKeepNobodyOut() throws IOException {
        System.setProperty(PeerTimeout.PROPERTY, "600");
        List<SocketChannel> flood = new ArrayList<>();
        try {
            attack((victim, address) -> {
                for (int number = 0; number < 400; number++) {
                    flood.add(SocketChannel.open(address));
                }
                awaitCount(victim, Refusals.Kind.TOO_MANY, 400 - 256);
                assertThat(victim.refusals().of(Refusals.Kind.TOO_SLOW)).isZero();
            });
        } finally {
            for (SocketChannel each : flood) {
                each.close();
            }
        }
    }

    @Test
    @Fault({7, 30})
    void whoHasAnotherKeyIsRefused() {
        attack((victim, address) -> {
            Handshake.Initiator impostor = new Handshake.Initiator(
                    new Authenticator("", new byte[32]), new Hello(Hello.CONNECT, 0, 2, VICTIM, 3, 0));
            try (SocketChannel stranger = SocketChannel.open(address)) {
                assertThatExceptionOfType(WrongProofException.class)
                        .isThrownBy(() -> impostor.advance(new ChannelWire(stranger)));
            }
            try (SocketChannel stranger = SocketChannel.open(address)) {
                send(stranger, new Hello(Hello.CONNECT, 0, 2, VICTIM, 3, 0).encode(Authenticator.random()));
                send(stranger, new byte[Authenticator.BYTES]);
                assertThat(readAll(stranger)).as("bytes before the proof").isEqualTo(64);
            }
            awaitCount(victim, Refusals.Kind.WRONG_PROOF, 1);
        });
    }

    @Test
    @Fault(7)
    void aRecordedConversationIsRefused() {
        attack((victim, address) -> {
            byte[] key = new byte[32];
            byte[] greeting = new Hello(Hello.GOODBYE, 0, 2, VICTIM, 3, 0).encode(Authenticator.random());
            for (int round = 0; round < 3; round++) {
                try (SocketChannel stranger = SocketChannel.open(address)) {
                    send(stranger, greeting);
                    // what an earlier conversation would have shown, as far as a listener can know it
                    send(stranger, new Authenticator("", key).of("initiator", greeting, new byte[32]));
                    assertThat(readAll(stranger)).isEqualTo(64);
                }
            }
            awaitCount(victim, Refusals.Kind.WRONG_PROOF, 3);
        });
    }

    @Test
    @Fault({7, 30})
    void anImpostorBehindAPublishedAddressGetsNothing() throws Exception {
        List<InProcessWireup> job = TestJobs.of(2);
        try (ServerSocketChannel impostor = ServerSocketChannel.open()) {
            impostor.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) impostor.getLocalAddress()).getPort();
            Thread.ofPlatform().daemon().start(() -> answer(impostor));
            RankThreads.run(2, me -> {
                InProcessWireup wireup = job.get(me);
                if (me == 1) {
                    wireup.put(
                            "galerna.tcp.0",
                            Address.here(List.of("127.0.0.1 " + port)).encode());
                    wireup.fence();
                    wireup.fence();
                    return;
                }
                try (LinkRank rank = LinkRank.open(LinkProvider.named("tcp"), wireup, LinkOptions.DEFAULT)) {
                    rank.link().connect(1);
                    rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
                    assertThat(rank.lost().get(1)).contains("does not know the job's key");
                    wireup.fence();
                }
            });
        }
    }

    private static void answer(ServerSocketChannel impostor) {
        try {
            while (true) {
                try (SocketChannel victim = impostor.accept()) {
                    send(victim, new byte[64]);
                    readAll(victim);
                }
            }
        } catch (IOException closed) {
            assertThat(impostor.isOpen()).isFalse();
        }
    }

    @Test
    @Fault(8)
    void anInterfaceThatDoesNotExistIsNamedWithThoseThatDo() {
        System.setProperty(Interfaces.PROPERTY, "eth99");
        try {
            assertThatExceptionOfType(CommunicationException.class)
                    .isThrownBy(
                            () -> LinkProvider.named("tcp").open(TestJobs.of(1).getFirst(), LinkOptions.DEFAULT))
                    .withMessageContaining("eth99")
                    .withMessageContaining("127.0.0.1");
        } finally {
            System.clearProperty(Interfaces.PROPERTY);
        }
    }

    @ParameterizedTest
    @Fault(30)
    @ValueSource(strings = {"lo", "127.0.0.1", "127.0.0.0/8"})
    void listensAtTheInterfaceThatIsNamedAndNowhereElse(String wanted) {
        System.setProperty(Interfaces.PROPERTY, wanted);
        try {
            List<InProcessWireup> job = TestJobs.of(2);
            RankThreads.run(2, me -> {
                try (InProcessWireup wireup = job.get(me);
                        LinkRank rank = LinkRank.open(LinkProvider.named("tcp"), wireup, LinkOptions.DEFAULT)) {
                    assertThat(Address.decode(wireup.get(me, "galerna.tcp.0")).sockets())
                            .isNotEmpty()
                            .allMatch(socket -> InetAddress.ofLiteral(socket.substring(0, socket.indexOf(' ')))
                                    .isLoopbackAddress());
                    talk(rank, 1 - me);
                }
            });
        } finally {
            System.clearProperty(Interfaces.PROPERTY);
        }
    }

    @Test
    void jobsOnOneHostAreNotReachedFromOutside() {
        attack((victim, address) -> {
            List<String> sockets = victim.sockets();
            assertThat(sockets).isNotEmpty();
            for (String socket : sockets) {
                int space = socket.indexOf(' ');
                InetAddress ip = InetAddress.ofLiteral(socket.substring(0, space));
                if (!ip.isLoopbackAddress()) {
                    int port = Integer.parseInt(socket.substring(space + 1));
                    Deadline.after(LONG).await(socket + " is closed", () -> !accepts(new InetSocketAddress(ip, port)));
                }
            }
        });
    }

    private static boolean accepts(InetSocketAddress address) {
        try (SocketChannel channel = SocketChannel.open(address)) {
            return channel.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void theEndOfTheHandshakeIsNoticed() {
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> new Handshake.Initiator(
                                new Authenticator("", new byte[32]), new Hello(Hello.CONNECT, 0, 1, 0, 2, 0))
                        .advance(new ScriptedWire().end()));
    }
}
