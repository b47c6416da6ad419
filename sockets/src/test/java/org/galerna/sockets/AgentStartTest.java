package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Test;

/** What becomes of a program that is given the agent, but a Java that is too old for it. */
class AgentStartTest {
    private static final int VERSION_OF_JAVA_8 = 52;
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
        assumeThat(old).as("a Java older than 25 in " + JAVAS).isPresent();
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
