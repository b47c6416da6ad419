package org.galerna.nativeaccess.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class UnixSocketTest {
    @TempDir
    private Path folder;

    private ServerSocketChannel server;
    private UnixSocket socket;
    private SocketChannel peer;

    @BeforeEach
    void connect() throws IOException {
        Path path = folder.resolve("socket");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        socket = UnixSocket.connect(path);
        peer = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
        server.close();
    }

    @Test
    void bytesArriveHoweverManyTheyAre() throws Exception {
        byte[] sent = new byte[1_000_000];
        new Random(7).nextBytes(sent);
        FutureTask<byte[]> there =
                new FutureTask<>(() -> Channels.newInputStream(peer).readNBytes(sent.length));
        Thread.ofPlatform().start(there);
        for (int done = 0; done < sent.length; ) {
            done += socket.send(sent, done, sent.length - done);
        }
        assertThat(there.get()).isEqualTo(sent);

        FutureTask<Integer> back = new FutureTask<>(() -> peer.write(ByteBuffer.wrap(sent)));
        Thread.ofPlatform().start(back);
        byte[] received = new byte[sent.length];
        for (int done = 0; done < sent.length; ) {
            done += socket.receive(received, done, sent.length - done, true);
        }
        assertThat(received).isEqualTo(sent);
        assertThat(back.get()).isEqualTo(sent.length);
    }

    @Test
    void doesNotWaitUnlessItIsToldTo() throws IOException {
        byte[] bytes = new byte[8];
        assertThat(socket.receive(bytes, 0, 8, false)).isZero();
        peer.write(ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(socket.receive(bytes, 3, 5, false)).isEqualTo(2);
        assertThat(bytes).containsExactly(0, 0, 0, 1, 2, 0, 0, 0);
    }

    @Test
    void sendsNoMoreThanThereIsRoomFor() throws IOException {
        byte[] bytes = new byte[1 << 20];
        int sent = 0;
        for (int count = socket.send(bytes, 0, bytes.length); count > 0; ) {
            sent += count;
            count = socket.send(bytes, 0, bytes.length);
        }
        assertThat(sent).isPositive();
        assertThat(Channels.newInputStream(peer).readNBytes(sent)).hasSize(sent);
        assertThat(socket.send(bytes, 0, bytes.length)).isPositive();
    }

    @Test
    void anInterruptEndsNothing() throws Exception {
        byte[] bytes = new byte[1];
        FutureTask<Integer> receiving = new FutureTask<>(() -> socket.receive(bytes, 0, 1, true));
        Thread thread = Thread.ofPlatform().start(receiving);
        thread.interrupt();
        socket.send(new byte[] {4}, 0, 1);
        assertThat(Channels.newInputStream(peer).read()).isEqualTo(4);
        peer.write(ByteBuffer.wrap(new byte[] {5}));
        assertThat(receiving.get()).isOne();
        assertThat(bytes).containsExactly(5);
    }

    @Test
    void theEndOfThePeerIsTheEnd() throws IOException {
        peer.close();
        assertThat(socket.receive(new byte[1], 0, 1, true)).isEqualTo(-1);
        assertThatThrownBy(() -> socket.send(new byte[1], 0, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot send");
    }

    @Test
    void whereNobodyListensThereIsNoConnection() {
        assertThatThrownBy(() -> UnixSocket.connect(folder.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none: No such file or directory");
        assertThatThrownBy(() -> UnixSocket.connect(folder.resolve("x".repeat(120))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too long");
    }
}
