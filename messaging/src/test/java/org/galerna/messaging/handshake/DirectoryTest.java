package org.galerna.messaging.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Test;

class DirectoryTest {
    private static final byte[] KEY = new byte[32];

    private static InetSocketAddress at(int port) {
        return InetSocketAddress.createUnresolved("10.1.2.3", port);
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    }

    /** Two directories tell each other what they know, over sockets. */
    private static void exchange(Directory one, Directory two) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> {
                try (Socket socket = listener.accept()) {
                    two.exchange(SecureCall.hear(socket, soon())
                            .answer(KEY, 2, _ -> Verdict.ACCEPTED)
                            .call());
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            SecureCall.Answered answered = SecureCall.dial(
                    (InetSocketAddress) listener.getLocalSocketAddress(), KEY, Greeting.ofDiscovery(1, 1), soon());
            try (SecureCall call = answered.call()) {
                one.exchange(call);
                answering.join();
            }
        }
    }

    @Test
    void bothKnowAfterwardsWhatOneKnewHoweverMuchItWas() throws IOException {
        Directory one = new Directory();
        Directory two = new Directory();
        for (int node = 0; node < 1000; node++) {
            one.learn(node, new Directory.Entry(5, at(node + 1)));
        }
        two.learn(65_534, new Directory.Entry(1, at(65_535)));
        exchange(one, two);
        assertThat(one.nodes()).hasSize(1001).isEqualTo(two.nodes());
        assertThat(two.address(999)).isEqualTo(at(1000));
        assertThat(one.address(65_534)).isEqualTo(at(65_535));
    }

    @Test
    void theLaterStartIsRightOnBothSides() throws IOException {
        Directory one = new Directory();
        Directory two = new Directory();
        one.learn(1, new Directory.Entry(10, at(110)));
        two.learn(1, new Directory.Entry(11, at(111)));
        one.learn(2, new Directory.Entry(21, at(121)));
        two.learn(2, new Directory.Entry(20, at(120)));
        exchange(one, two);
        for (Directory each : new Directory[] {one, two}) {
            assertThat(each.address(1)).isEqualTo(at(111));
            assertThat(each.address(2)).isEqualTo(at(121));
        }
    }

    @Test
    void theProgramsWordCountsUntilALaterStartIsHeardOf() {
        Directory directory = new Directory();
        directory.learn(1, new Directory.Entry(10, at(110)));
        directory.set(1, at(1));
        directory.learn(1, new Directory.Entry(10, at(110)));
        assertThat(directory.address(1)).isEqualTo(at(1));
        directory.learn(1, new Directory.Entry(11, at(111)));
        assertThat(directory.address(1)).isEqualTo(at(111));
    }

    @Test
    void whatNobodyCanCallIsNotTold() throws IOException {
        Directory one = new Directory();
        Directory two = new Directory();
        one.set(1, new InetSocketAddress(7));
        one.set(2, at(0));
        one.set(3, at(3));
        exchange(one, two);
        assertThat(two.nodes()).containsExactly(3);
    }

    private static byte[] message(int node, int port, String host) {
        return ByteBuffer.allocate(18 + host.length())
                .put((byte) 0)
                .putInt(1)
                .putShort((short) node)
                .putShort((short) port)
                .putLong(1)
                .put((byte) host.length())
                .put(host.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .array();
    }

    @Fault(
            value = {3, 4, 6, 8},
            on = Fault.Where.TCP)
    @Test
    void garbageIsRefused() throws ProtocolException {
        Directory directory = new Directory();
        byte[] good = message(1, 7, "a.host");
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> directory.read(cut)).isInstanceOf(ProtocolException.class);
        }
        assertThatThrownBy(() -> directory.read(message(65_535, 7, "a.host"))).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> directory.read(message(1, 0, "a.host"))).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> directory.read(message(1, 7, ""))).isInstanceOf(ProtocolException.class);
        assertThat(directory.nodes()).isEmpty();
        Random random = new Random(Seeds.next("directory"));
        for (int each = 0; each < 20_000; each++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            if (random.nextBoolean() && bytes.length > 5) {
                ByteBuffer.wrap(bytes).putInt(1, random.nextInt(4));
            }
            try {
                boolean ignored = directory.read(bytes);
            } catch (ProtocolException refused) {
                // what it should be
            }
        }
        assertThat(directory.read(good)).isFalse();
        assertThat(directory.address(1)).isNotNull();
    }
}
