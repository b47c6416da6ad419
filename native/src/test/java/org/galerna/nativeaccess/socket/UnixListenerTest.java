package org.galerna.nativeaccess.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class UnixListenerTest {
    @TempDir
    private Path folder;

    private Path path;
    private UnixListener listener;

    @BeforeEach
    void open() throws IOException {
        path = folder.resolve("socket");
        listener = UnixListener.open(path);
    }

    @AfterEach
    void stop() {
        listener.stop();
    }

    @Test
    void theTwoEndsTalk() throws IOException {
        try (UnixSocket one = UnixSocket.connect(path);
                UnixSocket other = listener.accept()) {
            assertThat(one.send(new byte[] {1, 2}, 0, 2)).isEqualTo(2);
            byte[] bytes = new byte[2];
            assertThat(other.receive(bytes, 0, 2, true)).isEqualTo(2);
            assertThat(bytes).containsExactly(1, 2);
            assertThat(other.send(new byte[] {3}, 0, 1)).isOne();
            assertThat(one.receive(bytes, 1, 1, true)).isOne();
            assertThat(bytes).containsExactly(1, 3);
        }
    }

    @Test
    void afterItIsClosedNobodySends() throws IOException {
        try (UnixSocket one = UnixSocket.connect(path)) {
            UnixSocket other = listener.accept();
            other.close();
            other.close();
            assertThatThrownBy(() -> other.send(new byte[1], 0, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("closed");
            assertThat(one.receive(new byte[1], 0, 1, true)).isEqualTo(-1);
        }
    }

    @Test
    void theThreadThatAcceptsGetsToKnowOfTheEnd() throws InterruptedException {
        FutureTask<UnixSocket> accepting = new FutureTask<>(() -> listener.accept());
        Thread thread = Thread.ofPlatform().start(accepting);
        thread.interrupt(); // ends nothing
        assertThat(accepting.isDone()).isFalse();
        listener.stop();
        listener.stop();
        assertThatThrownBy(accepting::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot accept");
        thread.join();
        listener.stop(); // its number may be another file's now
        assertThat(path).exists();
    }

    @Test
    void whoComesAfterTheEndIsRefused() {
        listener.stop();
        assertThatThrownBy(() -> UnixSocket.connect(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Connection refused");
        assertThatThrownBy(() -> listener.accept()).isInstanceOf(IOException.class);
    }

    @Test
    void wherePathsAreTakenOrMissingNobodyListens() throws IOException {
        assertThatThrownBy(() -> UnixListener.open(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen at " + path + ": Address already in use");
        Path gone = Files.createDirectory(folder.resolve("gone"));
        Files.delete(gone);
        assertThatThrownBy(() -> UnixListener.open(gone.resolve("socket")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No such file or directory");
    }
}
