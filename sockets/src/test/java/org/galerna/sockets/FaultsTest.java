package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one process sees when the other one fails; a hang is a failed test. */
class FaultsTest {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final Pattern PORT = Pattern.compile("port (\\d+)");

    @BeforeAll
    static void install() {
        FastSockets.install();
    }

    private static ChildProcess server(String kind, String options) throws Exception {
        ChildProcess server = AgentJar.start(Stream.class, options, kind, "0");
        server.awaitOut(text -> text.contains("port "), LONG);
        return server;
    }

    private static int port(ChildProcess server) {
        Matcher matcher = PORT.matcher(server.out());
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    private static Socket connect(ChildProcess server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port(server));
    }

    /** Has bytes go to and fro; true if the connection was fast at the end of that. */
    private static boolean exchange(Socket socket, int rounds) throws IOException {
        for (int round = 0; round < rounds; round++) {
            socket.getOutputStream().write(new byte[] {1, 2, 3});
            assertThat(socket.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
        }
        return FastSockets.isFast(socket);
    }

    /** The server is asked in turn until it has taken up the offer. */
    private static void becomeFast(Socket socket) throws IOException {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!exchange(socket, 1)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        exchange(socket, 2);
    }

    @Test
    void aSelectorFindsTheEndWhenThePeerIsKilled() throws Exception {
        SelectorProvider provider = new FastSelectorProvider(FastSockets.forChannels());
        try (ChildProcess server = server("echo", "");
                SocketChannel channel = provider.openSocketChannel();
                Selector selector = provider.openSelector()) {
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(server)));
            ByteBuffer bytes = ByteBuffer.allocate(3);
            long deadline = System.nanoTime() + LONG.toNanos();
            for (int more = 3; more > 0; more -= FastSockets.isFast(channel) ? 1 : 0) {
                channel.write(bytes.clear());
                for (bytes.clear(); bytes.hasRemaining(); ) {
                    assertThat(channel.read(bytes)).isPositive();
                }
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            SocketPair.Blocked select = SocketPair.blocked(false, selector::select);
            server.signal("KILL");
            assertThat(select.outcome()).isEqualTo("1");
            assertThat(channel.read(bytes.clear())).isEqualTo(-1);
        }
    }

    @Test
    void aReaderFindsTheEndWhenTheWriterIsKilled() throws Exception {
        try (ChildProcess server = server("echo", "");
                Socket socket = connect(server)) {
            becomeFast(socket);
            SocketPair.Blocked reader =
                    SocketPair.blocked(false, () -> socket.getInputStream().read());
            SocketPair.Blocked virtual;
            try (Socket other = connect(server)) {
                becomeFast(other);
                virtual = SocketPair.blocked(true, () -> other.getInputStream().read());
                server.signal("KILL");
                assertThat(reader.outcome()).isEqualTo("-1");
                assertThat(virtual.outcome()).isEqualTo("-1");
            }
        }
    }

    @Test
    void aWriterWithoutRoomFailsWhenTheReaderIsKilled() throws Exception {
        try (ChildProcess server = server("deaf", "");
                Socket socket = connect(server)) {
            becomeFast(socket);
            SocketPair.Blocked writer = SocketPair.blocked(false, () -> {
                byte[] much = new byte[1 << 20];
                while (true) {
                    socket.getOutputStream().write(much);
                }
            });
            assertThat(writer.thread().isAlive()).isTrue();
            server.signal("KILL");
            assertThat(writer.outcome()).startsWith("java.net.SocketException(");
            // what this end had sent was not read: a reset, which TCP tells once, to the writer or to the reader,
            // which may find what was sent back before the server became deaf
            assertThat(SocketPair.outcome(() -> socket.getInputStream().readAllBytes().length))
                    .matches("\\d+|java.net.SocketException\\(Connection reset\\)");
        }
    }

    @Test
    @Tag("slow")
    void aServerOutlivesClientsThatAreKilled() throws Exception {
        try (ChildProcess server = server("echo", "")) {
            try (ChildProcess client = AgentJar.start(Pourer.class, "", String.valueOf(port(server)))) {
                client.awaitOut(text -> text.contains("fast"), LONG);
                client.signal("KILL");
                server.awaitOut(text -> text.contains("ended") || text.contains("saw"), LONG);
            }
            try (Socket next = connect(server)) {
                becomeFast(next);
            }
        }
    }

    @Test
    void aPeerThatIsStoppedGoesOnWhereItWas() throws Exception {
        try (ChildProcess server = server("echo", "");
                Socket socket = connect(server)) {
            becomeFast(socket);
            server.signal("STOP");
            socket.getOutputStream().write(new byte[] {4, 5, 6});
            socket.setSoTimeout(100);
            assertThatThrownBy(() -> socket.getInputStream().read()).hasMessage("Read timed out");
            socket.setSoTimeout(0);
            server.signal("CONT");
            assertThat(socket.getInputStream().readNBytes(3)).containsExactly(4, 5, 6);
        }
    }

    @Test
    void anOfferToAProcessThatIsStoppedDelaysNobody() throws Exception {
        try (ChildProcess server = server("echo", "");
                Socket first = connect(server)) {
            becomeFast(first); // now there is somebody to talk to
            try (Socket socket = connect(server)) {
                server.signal("STOP");
                for (int write = 0; write < 40; write++) {
                    socket.getOutputStream().write(new byte[100]);
                }
                assertThat(FastSockets.isFast(socket)).isFalse();
                server.signal("CONT");
                // what was sent over TCP meanwhile comes back first, in whatever pieces
                assertThat(socket.getInputStream().readNBytes(100)).hasSize(100);
            }
        }
    }

    @Test
    @Tag("slow")
    void aListenerThatWasKilledIsReplaced() throws Exception {
        int port;
        try (ChildProcess server = server("echo", "");
                Socket socket = connect(server)) {
            port = port(server);
            becomeFast(socket);
            server.signal("KILL");
            server.awaitExit(LONG);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        try (ChildProcess plain = AgentJar.startPlain(Stream.class, "echo", String.valueOf(port))) {
            plain.awaitOut(text -> text.contains("port "), LONG);
            try (Socket socket = connect(plain)) {
                assertThat(exchange(socket, 30))
                        .as("somebody plain listens where a dead process did")
                        .isFalse();
            }
        }
        try (ChildProcess next = AgentJar.start(Stream.class, "", "echo", String.valueOf(port))) {
            next.awaitOut(text -> text.contains("port "), LONG);
            try (Socket socket = connect(next)) {
                becomeFast(socket);
            }
        }
    }

    @Test
    void aPlainServerSeesItsBytesAndNoOthers() throws Exception {
        try (ChildProcess server = AgentJar.startPlain(Stream.class, "echo", "0")) {
            server.awaitOut(text -> text.contains("port "), LONG);
            try (Socket socket = connect(server)) {
                assertThat(exchange(socket, 200)).isFalse();
            }
        }
    }

    @Test
    void aPlainClientOfAFastServerSeesItsBytesAndNoOthers() throws Exception {
        try (ChildProcess server = server("echo", "after=0");
                ChildProcess client = AgentJar.startPlain(Pourer.class, String.valueOf(port(server)))) {
            client.awaitOut(text -> text.contains("checked"), LONG);
        }
    }

    @Test
    @Tag("slow")
    void memoryThatIsFullLeavesAConnectionPlain(@TempDir Path folder) throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", small.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mount.waitFor() == 0, "mounting needs a privileged user");
        try (ChildProcess server = ChildProcess.start(ChildProcess.java(
                AgentJar.options("", "-Dgalerna.shm.folder=" + small), Stream.class, List.of("echo", "0")))) {
            server.awaitOut(text -> text.contains("port "), LONG);
            try (ChildProcess client = ChildProcess.start(ChildProcess.java(
                    AgentJar.options("log", "-Dgalerna.shm.folder=" + small),
                    Pourer.class,
                    List.of(String.valueOf(port(server)))))) {
                client.awaitOut(text -> text.contains("checked"), LONG);
                client.awaitErr(text -> text.contains("No space left on device"), LONG);
            }
        } finally {
            new ProcessBuilder("umount", "-l", small.toString()).start().waitFor();
        }
    }

    @Test
    void nothingIsLeftBehind(@TempDir Path folder) throws Exception {
        String where = "-Dgalerna.shm.folder=" + folder;
        try (ChildProcess server = ChildProcess.start(
                ChildProcess.java(AgentJar.options("", where), Stream.class, List.of("echo", "0")))) {
            server.awaitOut(text -> text.contains("port "), LONG);
            try (ChildProcess client = ChildProcess.start(ChildProcess.java(
                    AgentJar.options("", where), Pourer.class, List.of(String.valueOf(port(server)))))) {
                client.awaitOut(text -> text.contains("fast"), LONG);
                assertThat(names(folder)).as("the listener, and no memory").hasSize(2);
                client.signal("KILL");
            }
            server.signal("TERM");
            server.awaitExit(LONG);
        }
        assertThat(names(folder)).containsExactly("lock");
    }

    private static List<String> names(Path folder) throws IOException {
        try (var found = Files.walk(folder)) {
            return found.filter(path -> !Files.isDirectory(path))
                    .map(path -> path.getFileName().toString())
                    .toList();
        }
    }
}
