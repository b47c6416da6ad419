package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that know nothing of it have connections that go over a link, as they do between hosts. Which one, and at which
 * address, is for each class to say.
 */
abstract class LinkPipes {
    static final Duration LONG = Duration.ofMinutes(9);
    private static final Pattern PORT = Pattern.compile("port (\\d+)");

    private final String network;
    private final String address;

    @TempDir
    private Path folder;

    LinkPipes(String network, String address) {
        this.network = network;
        this.address = address;
    }

    /** Options for the programs' Java. */
    List<String> javaOptions() {
        return List.of();
    }

    private Path key(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, "a key for tests, which nobody else has: " + name + "\n");
        }
        return file;
    }

    final String agentOptions(String key) throws IOException {
        return "log,after=2,pipes=" + network + ",key=" + key(key);
    }

    private ChildProcess start(Class<?> main, String key, String... arguments) throws IOException {
        List<String> options = AgentJar.options(agentOptions(key), javaOptions().toArray(String[]::new));
        return ChildProcess.start(ChildProcess.java(options, main, List.of(arguments)));
    }

    private ChildProcess server(String key, String kind) throws Exception {
        ChildProcess server = kind.equals("selector")
                ? start(EchoSelector.class, key, address)
                : start(Stream.class, key, kind, "0", address);
        awaitPort(server);
        return server;
    }

    private static void awaitPort(ChildProcess server) throws InterruptedException {
        server.awaitOut(text -> text.contains("port "), LONG);
    }

    private ChildProcess client(ChildProcess server, String key, String... arguments) throws IOException {
        Matcher matcher = PORT.matcher(server.out());
        assertThat(matcher.find()).isTrue();
        return start(EchoClient.class, key, address, matcher.group(1), arguments[0], arguments[1]);
    }

    private void pass(ChildProcess server) throws Exception {
        try (ChildProcess client = client(server, "key", "fast", "stream")) {
            assertThat(client.awaitExit(LONG)).as(client.err()).isZero();
            assertThat(client.out())
                    .as(client.err())
                    .contains("is fast\nchecked\n")
                    .containsPattern("counters \\{" + network + "=1} \\{} [1-9]\\d{6,}");
            assertThat(client.err()).containsPattern("connection to .* goes through " + network);
        }
        assertThat(server.err()).containsPattern("connection by .* goes through " + network);
        assertThat(server.out()).doesNotContain("saw");
    }

    @Test
    void blockingSocketsGoOverTheLink() throws Exception {
        try (ChildProcess server = server("key", "echo")) {
            pass(server);
            server.awaitOut(text -> text.contains("ended"), LONG);
            pass(server); // by the next process
        }
    }

    @Test
    void channelsOfASelectorGoOverTheLink() throws Exception {
        try (ChildProcess server = server("key", "selector")) {
            pass(server);
        }
    }

    @Test
    void whoLosesItsPeerIsTold() throws Exception {
        try (ChildProcess server = server("key", "echo");
                ChildProcess client = client(server, "key", "fast", "forever")) {
            client.awaitOut(text -> text.contains("is fast"), LONG);
            server.signal("KILL");
            assertThat(client.awaitExit(LONG)).isZero();
            assertThat(client.out()).containsPattern("saw java.net.SocketException: (Connection reset|Broken pipe)");
        }
    }

    @Test
    void aServerIsToldOfClientsThatAreKilled() throws Exception {
        try (ChildProcess server = server("key", "echo")) {
            try (ChildProcess client = client(server, "key", "fast", "forever")) {
                client.awaitOut(text -> text.contains("is fast"), LONG);
                client.signal("KILL");
                server.awaitOut(text -> text.contains("saw java.net.SocketException: Connection reset"), LONG);
            }
            try (ChildProcess client = client(server, "key", "fast", "stream")) {
                client.awaitOut(text -> text.contains("is fast\nchecked"), LONG);
            }
        }
    }

    @Test
    void whatAProgramHasWrittenBeforeItEndsArrives() throws Exception {
        try (ChildProcess server = server("key", "tally");
                ChildProcess client = client(server, "key", "fast", "exit")) {
            assertThat(client.awaitExit(LONG)).isZero();
            server.awaitOut(text -> text.contains("tallied") || text.contains("saw"), LONG);
            assertThat(server.out()).contains("tallied 200000");
        }
    }

    @Test
    void whoHasAnotherKeyStaysPlain() throws Exception {
        try (ChildProcess server = server("key", "echo");
                ChildProcess client = client(server, "other", "plain", "stream")) {
            assertThat(client.awaitExit(LONG)).as(client.err()).isZero();
            // the other key leads to other doors, which nobody has
            assertThat(client.out()).contains("is plain\nchecked\n").contains("{NO_LISTENER=1}");
        }
    }

    @Test
    void aServerWithoutTheAgentGetsTheBytesOfItsClientAlone() throws Exception {
        try (ChildProcess server = AgentJar.startPlain(Stream.class, "echo", "0", address)) {
            awaitPort(server);
            try (ChildProcess client = client(server, "key", "plain", "stream")) {
                assertThat(client.awaitExit(LONG)).as(client.err()).isZero();
                assertThat(client.out()).contains("is plain\nchecked\n").contains("{NO_LISTENER=1}");
            }
            server.awaitOut(text -> text.contains("ended"), LONG);
            assertThat(server.out()).doesNotContain("saw");
        }
    }
}
