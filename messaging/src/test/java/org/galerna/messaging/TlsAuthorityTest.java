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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose certificates an authority of the user has signed, made with the JDK's keytool as the page says. */
class TlsAuthorityTest {
    private static final String KEY_STORE = "galerna.tls.keystore";
    private static final String PASSWORD = "galerna.tls.password.file";
    private static final String TLS = "galerna.tls";

    /** The same on both sides: who gives up first leaves the other one waiting. */
    private static final Duration LONG = Duration.ofSeconds(10);

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

    private MessagingNode node(int id, Path store, int port) {
        System.setProperty(TLS, "true");
        System.setProperty(KEY_STORE, store.toString());
        System.setProperty(PASSWORD, folder.resolve("password").toString());
        return MessagingNode.builder(id)
                .address(id, Cluster.anyPort())
                .address(2, new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .key(Cluster.KEY)
                .links("tcp")
                .connectTimeout(LONG)
                .start();
    }

    @Test
    @Tag("slow")
    @Fault(value = 30, on = Fault.Where.TCP)
    void nodesOfOneAuthorityTalkAndThoseOfAnotherAreRefused() throws Exception {
        Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("password"), "a secret\n"),
                PosixFilePermissions.fromString("rw-------"));
        authority("cluster");
        authority("other");
        Path first = certified("first", "cluster");
        Path second = certified("second", "cluster");
        Path stranger = certified("stranger", "other");
        Path expired = certified("expired", "cluster", "-startdate", "-3d", "-validity", "1");
        try (ChildProcess server = ChildProcess.start(ChildProcess.java(options(second), Server.class, List.of()))) {
            server.awaitOut(text -> text.endsWith("\n"), Cluster.PATIENCE);
            int port = Integer.parseInt(server.out().replaceAll("\\D+", ""));
            try (MessagingNode one = node(1, first, port)) {
                assertThat(one.check(2, Cluster.PATIENCE)).isPositive();
            }
            try (MessagingNode three = node(3, stranger, port)) {
                assertThatThrownBy(() -> three.check(2, Cluster.PATIENCE))
                        .isInstanceOfSatisfying(
                                MessagingException.class,
                                refused -> assertThat(refused.reason()).isEqualTo(Reason.UNREACHABLE))
                        .message()
                        .contains("node 2", "TLS")
                        .containsPattern("certificat|PKIX")
                        .hasLineCount(1);
            }
            try (MessagingNode four = node(4, expired, port)) {
                assertThatThrownBy(() -> four.check(2, Cluster.PATIENCE))
                        .isInstanceOfSatisfying(
                                MessagingException.class,
                                refused -> assertThat(refused.reason()).isEqualTo(Reason.UNREACHABLE))
                        .message()
                        .contains("node 2", "TLS with it fails", "certificate_unknown", "its log says why")
                        .hasLineCount(1);
            }
            try (MessagingNode one = node(1, first, port)) {
                assertThat(one.check(2, Cluster.PATIENCE)).isPositive();
            }
        }
    }
}
