package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Tools;
import org.galerna.testkit.process.VirtualHosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes on this machine that must not share memory, though both are fast: those of different users, and those that mean
 * different places by the same address. Their connections stay plain, and carry their bytes.
 */
@Tag("slow")
class StrangersTest {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final Pattern PORT = Pattern.compile("port (\\d+)");
    private static final int NOBODY = 65_534;

    /** A program of these tests with the agent, in words that any user can run. */
    private static List<String> program(String classPath, Path agent, Class<?> main, String... arguments) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-javaagent:" + agent + "=log",
                "-cp",
                classPath,
                main.getName()));
        words.addAll(List.of(arguments));
        return words;
    }

    private static List<String> asNobody(List<String> program) {
        List<String> words = new ArrayList<>(
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--inh-caps=-all"));
        words.addAll(program);
        return words;
    }

    /** A class path of copies where any user can read them: of folders, and of the archives of modules that have one already. */
    private static String readableClassPath(Path folder) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Path archives = Files.createDirectories(folder.resolve("archives"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            if (Files.isDirectory(from)) {
                copy(from, classes);
            } else if (from.getFileName().toString().startsWith("galerna-")) {
                Files.copy(from, archives.resolve(from.getFileName()));
            }
        }
        makeReadable(folder);
        return classes + File.pathSeparator + archives.resolve("*");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!Files.exists(target)) {
                    Files.copy(file, target);
                }
            }
        }
    }

    private static void makeReadable(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                assertThat(file.toFile().setReadable(true, false)).isTrue();
                assertThat(file.toFile().setExecutable(true, false)).isTrue();
            }
        }
    }

    private static String port(ChildProcess server) throws InterruptedException {
        server.awaitOut(text -> text.contains("port "), LONG);
        Matcher matcher = PORT.matcher(server.out());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private static void assertPlain(ChildProcess client) throws InterruptedException {
        client.awaitOut(text -> text.contains("checked"), LONG);
        assertThat(client.out()).doesNotContain("fast");
    }

    @Test
    void usersDoNotMeet(@TempDir Path folder) throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can be somebody else: run as root");
        Tools.require("setpriv", "util-linux");
        Path agent = Files.copy(AgentJar.path(), folder.resolve("agent.jar"));
        String classPath = readableClassPath(folder);
        try (ChildProcess server = ChildProcess.start(
                asNobody(program(classPath, agent, org.galerna.sockets.Stream.class, "echo", "0")))) {
            String port = port(server);
            try (ChildProcess client = ChildProcess.start(program(classPath, agent, Pourer.class, port))) {
                assertPlain(client);
            }
            try (ChildProcess client = ChildProcess.start(asNobody(program(classPath, agent, Pourer.class, port)))) {
                client.awaitOut(text -> text.contains("fast"), LONG); // users of one kind do
            }
        } finally {
            removeFolderOf(NOBODY);
        }
        try (ChildProcess server =
                        ChildProcess.start(program(classPath, agent, org.galerna.sockets.Stream.class, "echo", "0"));
                ChildProcess client =
                        ChildProcess.start(asNobody(program(classPath, agent, Pourer.class, port(server))))) {
            assertPlain(client);
        } finally {
            removeFolderOf(NOBODY);
        }
    }

    private static void removeFolderOf(int user) throws IOException {
        Path folder = Path.of("/dev/shm", "galerna-sockets-" + user);
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    @Test
    void networkNameSpacesDoNotMeet(@TempDir Path folder) throws Exception {
        Path agent = Files.copy(AgentJar.path(), folder.resolve("agent.jar"));
        String classPath = readableClassPath(folder);
        try (VirtualHosts hosts = VirtualHosts.create("a", "b");
                ChildProcess server = ChildProcess.start(hosts.on(
                        "a",
                        program(
                                classPath,
                                agent,
                                org.galerna.sockets.Stream.class,
                                "echo",
                                "0",
                                hosts.address("a"))))) {
            String port = port(server);
            try (ChildProcess client = ChildProcess.start(
                    hosts.on("b", program(classPath, agent, Pourer.class, port, hosts.address("a"))))) {
                assertPlain(client);
            }
            try (ChildProcess client = ChildProcess.start(
                    hosts.on("a", program(classPath, agent, Pourer.class, port, hosts.address("a"))))) {
                client.awaitOut(text -> text.contains("fast"), LONG); // those of one do
            }
        }
    }
}
