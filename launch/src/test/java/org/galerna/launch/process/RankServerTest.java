package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.MessageStream;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who comes to the socket of an agent, and who is let in: the ranks that it expects. */
class RankServerTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int EXPECTED = 3;

    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private RankServer server;

    @BeforeEach
    void open() throws IOException {
        server = RankServer.open(new RankServer.Guests() {
            @Override
            public boolean welcome(int rank, MessageStream stream) {
                heard.add("welcome " + rank);
                return rank == EXPECTED;
            }

            @Override
            public void heard(Message message, MessageStream stream) {
                heard.add(message.kind() + " " + message.rank());
            }
        });
    }

    @AfterEach
    void close() {
        server.close();
    }

    private SocketChannel come() throws IOException {
        SocketChannel guest = SocketChannel.open(StandardProtocolFamily.UNIX);
        guest.connect(UnixDomainSocketAddress.of(server.socket()));
        return guest;
    }

    /** Says something, and expects to be shown the door without an answer. */
    private void isSentAway(byte[] greeting) throws IOException {
        try (SocketChannel guest = come()) {
            OutputStream out = Channels.newOutputStream(guest);
            try {
                out.write(greeting);
                guest.shutdownOutput();
            } catch (IOException closedMeanwhile) {
                return;
            }
            try {
                assertThat(guest.read(ByteBuffer.allocate(100)))
                        .as("bytes of an answer")
                        .isEqualTo(-1);
            } catch (IOException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
        }
    }

    private static byte[] bytes(Message message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new MessageStream(InputStream.nullInputStream(), bytes, bytes).write(message);
        return bytes.toByteArray();
    }

    private static byte[] hello(int rank, String version) throws IOException {
        return bytes(Message.of(Kind.HELLO, rank, 0, version));
    }

    private void expectsItsRank() throws IOException {
        try (SocketChannel guest = come()) {
            OutputStream out = Channels.newOutputStream(guest);
            out.write(hello(EXPECTED, MessageStream.VERSION));
            out.write(bytes(Message.of(Kind.FENCE, EXPECTED, 0, "")));
            Deadline.after(LONGEST).await("the rank is heard", () -> heard.contains("FENCE " + EXPECTED));
        }
    }

    @Test
    @Fault({1, 3, 6})
    void strangersAreSentAwayAndTheRanksComeIn() throws Exception {
        Random random = new Random(Seeds.next("strangersAreSentAwayAndTheRanksComeIn"));
        for (int round = 0; round < 50; round++) {
            byte[] noise = new byte[random.nextInt(1, 300)];
            random.nextBytes(noise);
            isSentAway(noise);
            come().close();
        }
        for (String greeting : List.of("GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u0016\u0003\u0001")) {
            isSentAway(greeting.getBytes(StandardCharsets.ISO_8859_1));
        }
        isSentAway(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array());
        isSentAway(hello(EXPECTED, "galerna-0"));
        isSentAway(bytes(Message.of(Kind.FENCE, EXPECTED, 0, "")));
        assertThat(heard).isEmpty();
        isSentAway(hello(EXPECTED + 1, MessageStream.VERSION));
        assertThat(heard).containsExactly("welcome " + (EXPECTED + 1));
        expectsItsRank();
    }

    @Test
    @Fault(2)
    void whoSaysNothingOrNotEnoughHoldsUpNobody() throws Exception {
        try (SocketChannel silent = come();
                SocketChannel slow = come()) {
            slow.write(ByteBuffer.wrap(hello(EXPECTED, MessageStream.VERSION), 0, 10));
            assertThat(silent.isConnected()).isTrue();
            expectsItsRank();
        }
    }

    @Test
    @Fault({23, 30})
    void theSocketIsForTheUserAloneAndGoesWithTheServer() throws Exception {
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(server.socket().getParent())))
                .isEqualTo("rwx------");
        server.close();
        server.close();
        assertThat(server.socket().getParent()).doesNotExist();
    }
}
