package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that know nothing of it have connections that go over a link, as they do between hosts. Which one, and at which
 * address, is for each class to say.
 */
abstract class LinkPipes {
    private static final String RESET = "saw java.net.SocketException: (Connection reset|Broken pipe)";
    private static final Pattern PORT = Pattern.compile("port (\\d+)");

    private final String network;
    private final String address;
    private final Duration longest;

    @TempDir
    private Path folder;

    /**
     * Over a link.
     *
     * @param longest how long something may take; less than a test may, so that what the programs have said is shown
     */
    LinkPipes(String network, String address, Duration longest) {
        this.network = network;
        this.address = address;
        this.longest = longest;
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

    private void awaitPort(ChildProcess server) throws InterruptedException {
        server.awaitOut(text -> text.contains("port "), longest);
    }

    private ChildProcess client(ChildProcess server, String key, String... arguments) throws IOException {
        Matcher matcher = PORT.matcher(server.out());
        assertThat(matcher.find()).isTrue();
        return start(EchoClient.class, key, address, matcher.group(1), arguments[0], arguments[1]);
    }

    private void pass(ChildProcess server) throws Exception {
        try (ChildProcess client = client(server, "key", "fast", "stream")) {
            assertThat(client.awaitExit(longest)).as(client.err()).isZero();
            assertThat(client.out())
                    .as(client.err())
                    .contains("is fast\nchecked\n")
                    // what is written while the other end does not read goes over TCP
                    .containsPattern("counters \\{" + network + "=1} \\{} [1-9]\\d{5,}");
            assertThat(client.err()).containsPattern("connection to .* goes through " + network);
        }
        assertThat(server.err()).containsPattern("connection by .* goes through " + network);
        assertThat(server.out()).doesNotContain("saw");
    }

    @Test
    void blockingSocketsGoOverTheLink() throws Exception {
        try (ChildProcess server = server("key", "echo")) {
            pass(server);
            server.awaitOut(text -> text.contains("ended"), longest);
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
            client.awaitOut(text -> text.contains("is fast"), longest);
            server.signal("KILL");
            assertThat(client.awaitExit(longest)).isZero();
            // as over TCP: the end if what had come to the server was read, and not yet answered; otherwise a reset
            assertThat(client.out()).containsPattern("saw java.io.EOFException|" + RESET);
        }
    }

    @Test
    void aServerIsToldOfClientsThatAreKilled() throws Exception {
        try (ChildProcess server = server("key", "echo")) {
            try (ChildProcess client = client(server, "key", "fast", "forever")) {
                client.awaitOut(text -> text.contains("is fast"), longest);
                client.signal("KILL");
                server.awaitOut(text -> text.matches("(?s).*(ended|" + RESET + ")\n"), longest); // as in the other test
            }
            try (ChildProcess client = client(server, "key", "fast", "stream")) {
                client.awaitOut(text -> text.contains("is fast\nchecked"), longest);
            }
        }
    }

    @Test
    void whatAProgramHasWrittenBeforeItEndsArrives() throws Exception {
        try (ChildProcess server = server("key", "tally");
                ChildProcess client = client(server, "key", "fast", "exit")) {
            assertThat(client.awaitExit(longest)).isZero();
            server.awaitOut(text -> text.contains("tallied") || text.contains("saw"), longest);
            assertThat(server.out()).contains("tallied 200000");
        }
    }

    @Test
    @Tag("slow") // waits
    void aProgramThatEndsWaitsForAReaderThatIsStopped() throws Exception {
        try (ChildProcess server = server("key", "tally");
                ChildProcess client = client(server, "key", "fast", "later")) {
            client.awaitOut(text -> text.contains("is fast"), longest);
            server.signal("STOP");
            client.type("\n");
            assertThatThrownBy(() -> end(client).get(3, TimeUnit.SECONDS))
                    .as("the end of the writer")
                    .isInstanceOf(TimeoutException.class);
            server.signal("CONT");
            assertThat(client.awaitExit(longest)).isZero();
            server.awaitOut(text -> text.contains("tallied") || text.contains("saw"), longest);
            assertThat(server.out()).contains("tallied 300000");
        }
    }

    private static CompletableFuture<ProcessHandle> end(ChildProcess process) {
        return ProcessHandle.of(process.pid()).orElseThrow().onExit();
    }

    @Test
    void whoHasAnotherKeyStaysPlain() throws Exception {
        try (ChildProcess server = server("key", "echo");
                ChildProcess client = client(server, "other", "plain", "stream")) {
            assertThat(client.awaitExit(longest)).as(client.err()).isZero();
            // the other key leads to other doors, which nobody has
            assertThat(client.out()).contains("is plain\nchecked\n").contains("{NO_LISTENER=1}");
        }
    }

    @Test
    void aServerWithoutTheAgentGetsTheBytesOfItsClientAlone() throws Exception {
        try (ChildProcess server = AgentJar.startPlain(Stream.class, "echo", "0", address)) {
            awaitPort(server);
            try (ChildProcess client = client(server, "key", "plain", "stream")) {
                assertThat(client.awaitExit(longest)).as(client.err()).isZero();
                assertThat(client.out()).contains("is plain\nchecked\n").contains("{NO_LISTENER=1}");
            }
            server.awaitOut(text -> text.contains("ended"), longest);
            assertThat(server.out()).doesNotContain("saw");
        }
    }
}
