package org.galerna.sockets.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.galerna.link.handshake.Authenticator;
import org.galerna.sockets.FallbackReason;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is let in between hosts. */
class LinkCallTest {
    private static final Authenticator KEY = LinkCall.proof(new byte[] {1, 2, 3});
    private static final Authenticator OTHER = LinkCall.proof(new byte[] {1, 2, 4});
    private static final int PORT = 4711;

    private SocketChannel caller;
    private SocketChannel called;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            caller = SocketChannel.open(listener.getLocalAddress());
            called = listener.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        caller.close();
        called.close();
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private FutureTask<LinkCall> answer(Authenticator key, int verdict) {
        return start(() -> {
            try {
                return LinkCall.answer(called, key, port -> port == PORT ? verdict : LinkCall.NO_ROOM);
            } catch (IOException refused) {
                called.close();
                throw refused;
            }
        });
    }

    private static FallbackReason reasonOf(FutureTask<LinkCall> call) throws Exception {
        try {
            call.get(60, TimeUnit.SECONDS);
            throw new AssertionError("it was let in");
        } catch (ExecutionException failed) {
            assertThat(failed.getCause()).isInstanceOf(LinkCall.RefusedException.class);
            return ((LinkCall.RefusedException) failed.getCause()).reason();
        }
    }

    @Test
    void whoHasTheSameKeyIsHeard() throws Exception {
        FutureTask<LinkCall> answered = answer(KEY, LinkCall.WELCOME);
        LinkCall introduced = LinkCall.introduce(caller, KEY, PORT);
        LinkCall other = answered.get(60, TimeUnit.SECONDS);
        assertThat(introduced.name()).isEqualTo(other.name());
        introduced.send(new byte[] {1, 2, 3});
        introduced.send(new byte[0]);
        other.send(new byte[] {4});
        assertThat(other.receive()).containsExactly(1, 2, 3);
        assertThat(other.receive()).isEmpty();
        assertThat(introduced.receive()).containsExactly(4);
    }

    @Test
    void whoHasAnotherKeyIsNot() throws Exception {
        FutureTask<LinkCall> answered = answer(OTHER, LinkCall.WELCOME);
        FutureTask<LinkCall> introduced = start(() -> LinkCall.introduce(caller, KEY, PORT));
        assertThat(reasonOf(answered)).isEqualTo(FallbackReason.WRONG_KEY);
        assertThat(reasonOf(introduced)).isEqualTo(FallbackReason.WRONG_KEY);
    }

    @Test
    void whoIsCalledCanRefuse() throws Exception {
        FutureTask<LinkCall> answered = answer(KEY, LinkCall.NO_ROOM);
        FutureTask<LinkCall> introduced = start(() -> LinkCall.introduce(caller, KEY, PORT));
        assertThat(reasonOf(introduced)).isEqualTo(FallbackReason.TOO_MANY);
        reasonOf(answered);
    }

    @Test
    void somethingElseThatListensIsToldNothing() throws Exception {
        FutureTask<LinkCall> introduced = start(() -> LinkCall.introduce(caller, KEY, PORT));
        byte[] greeting = "SSH-2.0-OpenSSH_9.2p1 Debian\r\n".getBytes(StandardCharsets.US_ASCII);
        called.write(ByteBuffer.wrap(Arrays.copyOf(greeting, 40))); // as long as a greeting has to be
        assertThat(reasonOf(introduced)).isEqualTo(FallbackReason.NO_LISTENER);
        caller.close();
        assertThat(called.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    /** Between the two, each byte is handed on, but where addresses are translated, which the called one must notice. */
    @Test
    void addressesThatAreTranslatedEndTheCall() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel client = SocketChannel.open(listener.getLocalAddress());
            SocketChannel middle = listener.accept();
            pass(middle, caller);
            pass(caller, middle);
            FutureTask<LinkCall> answered = answer(KEY, LinkCall.WELCOME);
            FutureTask<LinkCall> introduced = start(() -> LinkCall.introduce(client, KEY, PORT));
            assertThat(reasonOf(introduced)).isEqualTo(FallbackReason.NOT_HERE);
            reasonOf(answered);
            client.close();
            middle.close();
        }
    }

    private static void pass(SocketChannel from, SocketChannel to) {
        Thread.ofPlatform().daemon().start(() -> {
            ByteBuffer bytes = ByteBuffer.allocate(4096);
            try {
                while (from.read(bytes.clear()) >= 0) {
                    to.write(bytes.flip());
                }
            } catch (IOException closed) {
                // the test is through
            }
        });
    }

    @Test
    void randomBytesAreNoProof() throws Exception {
        byte[] bytes = new byte[200];
        new java.util.Random(Seeds.next("LinkCallTest")).nextBytes(bytes);
        FutureTask<LinkCall> answered = answer(KEY, LinkCall.WELCOME);
        caller.write(ByteBuffer.wrap(bytes));
        assertThat(reasonOf(answered)).isEqualTo(FallbackReason.WRONG_KEY);
    }

    @Test
    void aMessageThatWasChangedEndsTheCall() throws Exception {
        FutureTask<LinkCall> answered = answer(KEY, LinkCall.WELCOME);
        LinkCall.introduce(caller, KEY, PORT);
        LinkCall other = answered.get(60, TimeUnit.SECONDS);
        caller.write(ByteBuffer.allocate(4 + 17).putInt(17).putLong(5).rewind());
        assertThatThrownBy(other::receive).hasMessageContaining("was changed");
    }

    @Test
    void doorsFollowFromThePortAndTheKey() {
        assertThat(Acceptor.ports(KEY, PORT)).containsExactly(Acceptor.ports(KEY, PORT));
        assertThat(IntStream.of(Acceptor.ports(KEY, PORT))).allMatch(port -> port >= 20_000 && port < 32_000);
        assertThat(Acceptor.ports(KEY, PORT))
                .isNotEqualTo(Acceptor.ports(OTHER, PORT))
                .isNotEqualTo(Acceptor.ports(KEY, PORT + 1));
    }
}
