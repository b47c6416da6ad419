package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose certificates an authority of the user has signed, made with the JDK's keytool as the page says. */
class TlsAuthorityTest {
    private static final String KEY_STORE = "galerna.tls.keystore";
    private static final String PASSWORD = "galerna.tls.password.file";
    private static final String TLS = "galerna.tls";

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofSeconds(3);

    /** Node 2, which is checked. */
    static final class Server {
        private Server() {}

        public static void main(String[] arguments) throws IOException {
            try (MessagingNode node = MessagingNode.builder(2)
                    .address(2, Cluster.anyPort())
                    .key(Cluster.KEY)
                    .links("tcp")
                    .connectTimeout(LONG)
                    .start()) {
                System.out.println("port " + node.address().getPort());
                int ignored = System.in.read();
            }
        }
    }

    @TempDir
    private Path folder;

    @AfterEach
    void forget() {
        List.of(KEY_STORE, PASSWORD, TLS).forEach(System::clearProperty);
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass:file", "password", "-storetype", "PKCS12"));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(process.waitFor()).as(() -> read("keytool.log")).isZero();
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException gone) {
            return gone.toString();
        }
    }

    private void password() throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "a secret\n");
        Path ignored = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private void authority(String name) throws Exception {
        keytool(
                "-genkeypair",
                "-alias",
                "authority",
                "-keyalg",
                "EC",
                "-ext",
                "bc:c",
                "-dname",
                "CN=" + name,
                "-keystore",
                name + ".p12");
        keytool("-exportcert", "-rfc", "-alias", "authority", "-file", name + ".pem", "-keystore", name + ".p12");
    }

    private Path certified(String node, String authority, String... validity) throws Exception {
        String store = node + ".p12";
        keytool("-genkeypair", "-alias", "node", "-keyalg", "EC", "-dname", "CN=" + node, "-keystore", store);
        keytool("-certreq", "-alias", "node", "-file", node + ".csr", "-keystore", store);
        List<String> signing = new ArrayList<>(List.of("-gencert", "-rfc", "-alias", "authority"));
        signing.addAll(List.of("-infile", node + ".csr", "-outfile", node + ".pem", "-keystore", authority + ".p12"));
        signing.addAll(List.of(validity));
        keytool(signing.toArray(String[]::new));
        keytool("-importcert", "-noprompt", "-alias", "authority", "-file", authority + ".pem", "-keystore", store);
        keytool("-importcert", "-alias", "node", "-file", node + ".pem", "-keystore", store);
        return folder.resolve(store);
    }

    private List<String> options(Path store) {
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-D" + TLS + "=true",
                "-D" + KEY_STORE + "=" + store,
                "-D" + PASSWORD + "=" + folder.resolve("password"));
    }

    private MessagingNode node(int id, @Nullable Path store, int port, Duration connectTimeout) {
        forget();
        if (store != null) {
            System.setProperty(TLS, "true");
            System.setProperty(KEY_STORE, store.toString());
            System.setProperty(PASSWORD, folder.resolve("password").toString());
        }
        return MessagingNode.builder(id)
                .address(id, Cluster.anyPort())
                .address(2, new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .key(Cluster.KEY)
                .links("tcp")
                .connectTimeout(connectTimeout)
                .start();
    }

    private ChildProcess server(List<String> options) throws InterruptedException {
        ChildProcess server = ChildProcess.start(ChildProcess.java(options, Server.class, List.of()));
        server.awaitOut(text -> text.endsWith("\n"), Cluster.PATIENCE);
        return server;
    }

    private static int port(ChildProcess server) {
        return Integer.parseInt(server.out().replaceAll("\\D+", ""));
    }

    private void isReached(int id, Path store, ChildProcess server) {
        try (MessagingNode node = node(id, store, port(server), LONG)) {
            assertThat(node.check(2, Cluster.PATIENCE)).isPositive();
        }
    }

    /** It hears why, and node 2 logs why, not each time that it calls. */
    private void isRefused(int id, @Nullable Path store, ChildProcess server, String here, String there)
            throws InterruptedException {
        try (MessagingNode node = node(id, store, port(server), SHORT)) {
            assertThatThrownBy(() -> node.check(2, Cluster.PATIENCE))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Reason.UNREACHABLE))
                    .message()
                    .contains("node 2", "TLS", here)
                    .doesNotContain("rank", "in time")
                    .hasLineCount(1);
        }
        String begin = "node 2: no connection with node " + id + ": ";
        server.awaitErr(text -> text.contains(begin), Cluster.PATIENCE);
        List<String> logged =
                server.err().lines().filter(line -> line.contains(begin)).toList();
        assertThat(logged)
                .hasSizeLessThan(4) // each of its reasons
                .anySatisfy(line -> assertThat(line).contains(there))
                .allSatisfy(line -> assertThat(line).doesNotContain("rank", "in time"));
    }

    @Test
    @Tag("slow")
    @Fault(value = 30, on = Fault.Where.TCP)
    void nodesOfOneAuthorityTalkAndThoseOfAnotherAreRefused() throws Exception {
        password();
        authority("cluster");
        authority("other");
        Path first = certified("first", "cluster");
        Path second = certified("second", "cluster");
        Path stranger = certified("stranger", "other");
        Path half = certified("half", "other");
        keytool("-importcert", "-noprompt", "-alias", "cluster", "-file", "cluster.pem", "-keystore", "half.p12");
        Path expired = certified("expired", "cluster", "-startdate", "-3d", "-validity", "1");
        try (ChildProcess server = server(options(second))) {
            isReached(1, first, server);
            isRefused(3, stranger, server, "PKIX path building failed", "TLS with it fails");
            isRefused(4, half, server, "there: TLS with it fails", "Empty client certificate chain");
            isRefused(5, expired, server, "there: TLS with it fails", "validity check failed");
            isRefused(6, null, server, "node 2 on", "uses no TLS");
            isReached(1, first, server);
        }
        try (ChildProcess plain = server(List.of("--enable-native-access=ALL-UNNAMED"))) {
            isRefused(1, first, plain, "uses no TLS", "node 1 on");
        }
    }

    @Test
    void aStoreThatCannotBeUsedIsNamedWhenTheNodeStarts() throws IOException {
        password();
        assertThatThrownBy(() -> node(1, folder.resolve("none.p12"), 1, SHORT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("link tcp", "none.p12", "there is no such file");
    }
}
