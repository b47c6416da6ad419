package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs and libraries that know nothing of Galerna. */
class ProgramsTest {
    private static final Duration LONG = Duration.ofSeconds(90);

    @BeforeAll
    static void install() {
        FastSockets.install();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void remoteMethodsAreInvoked(boolean fast) throws Exception {
        try (ChildProcess server =
                fast ? AgentJar.start(RemoteProgram.class, "") : AgentJar.startPlain(RemoteProgram.class)) {
            server.awaitOut(text -> text.contains("port "), LONG);
            int port = Integer.parseInt(server.out().strip().substring("port ".length()));
            long before = FastSockets.counters().getConnectedFast();
            RemoteProgram.Doubler doubler = (RemoteProgram.Doubler)
                    LocateRegistry.getRegistry("127.0.0.1", port).lookup("doubler");
            int[] numbers = new int[5000];
            Arrays.setAll(numbers, index -> index);
            BooleanSupplier isFast = () -> FastSockets.counters().getConnectedFast() > before;
            long deadline = System.nanoTime() + LONG.toNanos();
            // on a busy machine the other end may take more calls to agree
            for (int call = 0; call < 50 || (fast && !isFast.getAsBoolean()); call++) {
                assertThat(doubler.twice(numbers)[4999]).isEqualTo(9998);
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
            assertThat(isFast.getAsBoolean()).isEqualTo(fast);
        }
    }

    @Tag("slow")
    @Test
    void pagesAreServed() throws Exception {
        pagesAreServed(true, true);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"true,false", "false,true"})
    void pagesAreServedWhereOneSideIsPlain(boolean fastServer, boolean fastClient) throws Exception {
        pagesAreServed(fastServer, fastClient);
    }

    private static void pagesAreServed(boolean fastServer, boolean fastClient) throws Exception {
        try (ChildProcess server =
                fastServer ? AgentJar.start(HttpProgram.class, "") : AgentJar.startPlain(HttpProgram.class)) {
            server.awaitOut(text -> text.contains("port "), LONG);
            String port = server.out().strip().substring("port ".length());
            try (ChildProcess client = fastClient
                    ? AgentJar.start(HttpProgram.class, "", port)
                    : AgentJar.startPlain(HttpProgram.class, port)) {
                assertThat(client.awaitExit(LONG)).as(client.err()).isZero();
                assertThat(client.out()).contains("answered, fast: " + (fastServer && fastClient ? 1 : 0));
            }
        }
    }

    @Test
    void aConnectionThatIsReadFromBecomesFastToo() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            byte[] page = new byte[100_000];
            Arrays.fill(page, (byte) 'x');
            SocketPair.Blocked server = SocketPair.blocked(false, () -> {
                try (Socket socket = listener.accept()) {
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                    while (!in.readLine().isEmpty()) {
                        // the head of the request
                    }
                    OutputStream out = socket.getOutputStream();
                    out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    long deadline = System.nanoTime() + LONG.toNanos();
                    int pages = 0;
                    int last = 10; // some that are sent when the connection is fast
                    while (last > 0 && System.nanoTime() - deadline < 0) {
                        out.write(page);
                        pages++;
                        last -= FastSockets.isFast(socket) ? 1 : 0;
                    }
                    return (long) pages * page.length + " " + FastSockets.isFast(socket);
                }
            });
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/")
                            .toURL()
                            .openConnection();
            long received = 0;
            try (InputStream in = connection.getInputStream()) {
                byte[] piece = new byte[70_000];
                for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                    received += count;
                    assertThat(Arrays.equals(piece, 0, count, page, 0, count)).isTrue();
                }
            }
            assertThat(server.outcome()).isEqualTo(received + " true");
        }
    }
}
