package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a program that is given the agent, but a Java that is too old for it. */
class AgentStartTest {
    private static final int VERSION_OF_JAVA_8 = 52;
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Path JAVAS = Path.of("/usr/lib/jvm");

    @Test
    void anyJavaCanReadIt() throws IOException {
        try (DataInputStream file = new DataInputStream(AgentStart.class.getResourceAsStream("AgentStart.class"))) {
            assertThat(file.readInt()).isEqualTo(0xcafebabe);
            assertThat(file.readUnsignedShort()).isZero();
            assertThat(file.readUnsignedShort()).isEqualTo(VERSION_OF_JAVA_8);
        }
    }

    @Test
    void anOlderJavaSaysWhatItNeedsAndGoesOn() throws Exception {
        Optional<Path> old = olderJava();
        assumeTrue(old.isPresent(), "there is no Java older than 25 in " + JAVAS);
        try (ChildProcess child = ChildProcess.start(List.of(
                old.orElseThrow().resolve("bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-javaagent:" + AgentJar.path() + "=log",
                "-version"))) {
            assertThat(child.awaitExit(Duration.ofSeconds(60))).as(child.err()).isZero();
            assertThat(child.err())
                    .contains("galerna: sockets stay plain: this is Java ", "need Java 25 or newer")
                    .contains("Runtime Environment")
                    .doesNotContain("UnsupportedClassVersionError");
        }
    }

    @Test
    void theSmallJarNeedsNoOptionOfJava(@TempDir Path folder) throws Exception {
        Path program = program(folder);
        Path loaded = folder.resolve("loaded.txt");
        try (ChildProcess child = ChildProcess.start(List.of(
                JAVA.toString(),
                "-Dgalerna.sockets.log=true",
                "-Xlog:class+load:file=" + loaded,
                "-jar",
                AgentJar.path().toString(),
                program.toString(),
                "two",
                "words"))) {
            assertThat(child.awaitExit(LONG)).as(child.err()).isZero();
            assertThat(child.out()).contains("echoed two words", "opened", program + File.pathSeparator);
            assertThat(child.err()).contains("goes through shared memory").doesNotContain("plain");
            // tenths of a second in a thread that writes to a socket, for a recorder that nobody has started
            assertThat(loaded)
                    .content()
                    .contains(".ConnectionLog source")
                    .doesNotContain(".ConnectionEnd", ".ConnectionEvent");
        }
    }

    @Test
    void theSmallJarSaysWhatIsWrongInOneLine(@TempDir Path folder) throws Exception {
        assertThat(refused())
                .startsWith("galerna: say which program: java -jar ")
                .hasLineCount(1);
        assertThat(refused(folder.resolve("none.jar").toString()))
                .startsWith("galerna: cannot read ")
                .hasLineCount(1);
        assertThat(refused(AgentJar.withManifest(new Manifest()).toString()))
                .endsWith("does not name its main class\n")
                .hasLineCount(1);
    }

    private static String refused(String... arguments) throws InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(JAVA.toString(), "-jar", AgentJar.path().toString()));
        command.addAll(List.of(arguments));
        try (ChildProcess child = ChildProcess.start(command)) {
            assertThat(child.awaitExit(LONG)).isEqualTo(1);
            return child.err();
        }
    }

    @Tag("slow")
    @Test
    void theSmallJarRunsAProgramOnAnOlderJavaToo() throws Exception {
        Optional<Path> old = olderJava();
        assumeTrue(old.isPresent(), "there is no Java older than 25 in " + JAVAS);
        Manifest manifest = new Manifest();
        // the one program of the class path that an older Java can run, which has nothing to do
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "org.galerna.sockets.Launcher");
        try (ChildProcess child = ChildProcess.start(List.of(
                old.orElseThrow().resolve("bin/java").toString(),
                "-jar",
                AgentJar.path().toString(),
                AgentJar.withManifest(manifest).toString()))) {
            assertThat(child.awaitExit(LONG)).isEqualTo(1);
            assertThat(child.err())
                    .contains("galerna: sockets stay plain: this is Java ", "galerna: say which program: ")
                    .hasLineCount(2);
        }
    }

    /** What programs are without: flight recorder, {@code jdk.net} and management, which a program need not have. */
    @Test
    @Tag("slow")
    void aRuntimeImageNeedsNoModulesBesidesThoseOfAnyAgent(@TempDir Path folder) throws Exception {
        Optional<ToolProvider> linker = ToolProvider.findFirst("jlink");
        assumeTrue(linker.isPresent(), "there is no jlink");
        Path image = folder.resolve("image");
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said);
        int status = linker.orElseThrow()
                .run(to, to, "--add-modules", "java.base,java.instrument", "--output", image.toString());
        assertThat(status).as(said.toString()).isZero();
        List<String> command = new ArrayList<>(List.of(image.resolve("bin/java").toString()));
        command.addAll(AgentJar.options("log"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EchoProgram.class.getName(), "word"));
        try (ChildProcess child = ChildProcess.start(command)) {
            assertThat(child.awaitExit(LONG)).as(child.err()).isZero();
            assertThat(child.out()).contains("echoed word");
            assertThat(child.err()).contains("goes through shared memory").doesNotContain("Error", "Exception");
        }
    }

    /** A jar with a program, which wants a package of the platform to be open. */
    private static Path program(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, EchoProgram.class.getName());
        manifest.getMainAttributes().putValue("Add-Opens", "java.base/java.lang none.such/none java.base/none");
        return Files.move(AgentJar.withManifest(manifest), folder.resolve("program.jar"));
    }

    private static Optional<Path> olderJava() throws IOException {
        if (!Files.isDirectory(JAVAS)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(JAVAS)) {
            for (Path home : homes) {
                Path release = home.resolve("release");
                if (Files.isReadable(release) && Files.isExecutable(home.resolve("bin/java"))) {
                    Properties properties = new Properties();
                    try (var text = Files.newBufferedReader(release)) {
                        properties.load(text);
                    }
                    String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
                    if (version.matches("(1\\.|9|1\\d|2[0-4]).*")) {
                        return Optional.of(home);
                    }
                }
            }
        }
        return Optional.empty();
    }
}
