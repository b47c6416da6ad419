package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fast sockets as users start them, with the one jar. */
class SocketsIntegrationTest {
    private static final Path JAR = Path.of("target/galerna.jar").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void theCommandRunsAProgramUnchanged() throws Exception {
        String program = System.getProperty("java.class.path");
        try (ChildProcess run = ChildProcess.start(List.of(
                JAVA.toString(),
                "-jar",
                JAR.toString(),
                "sockets",
                "run",
                "--log",
                "-cp",
                program,
                SocketPairProgram.class.getName(),
                "word"))) {
            assertThat(run.awaitExit(LONG)).as(run.err()).isZero();
            assertThat(run.out()).contains("word came 1000 times");
            assertThat(run.err()).contains("goes through shared memory");
        }
    }

    @Tag("slow")
    @Test
    void aLineAtTheEndSaysWhatHasBecomeOfTheConnections(@TempDir Path folder) throws Exception {
        Path recording = folder.resolve("sockets.jfr");
        try (ChildProcess run = ChildProcess.start(List.of(
                JAVA.toString(),
                "-jar",
                JAR.toString(),
                "sockets",
                "run",
                "--stats",
                "-XX:StartFlightRecording:filename=" + recording,
                "-cp",
                System.getProperty("java.class.path"),
                SocketPairProgram.class.getName(),
                "word"))) {
            assertThat(run.awaitExit(LONG)).as(run.err()).isZero();
            assertThat(run.err())
                    .containsPattern("galerna: sockets: \\d+ fast connections? \\(\\d+ through shm\\), \\d+ plain.*;"
                            + " .* sent and .* received without TCP; \\d+ calls? of the system saved\n")
                    .doesNotContain("INFO");
        }
        List<RecordedEvent> ends = RecordingFile.readAllEvents(recording).stream()
                .filter(event -> event.getEventType().getName().equals("org.galerna.sockets.ConnectionEnd"))
                .toList();
        assertThat(ends).isNotEmpty().allSatisfy(end -> {
            assertThat(end.getBoolean("fast")).isTrue();
            assertThat(end.getString("pipe")).isEqualTo("shm");
            assertThat(end.getLong("bytesSent") + end.getLong("bytesReceived")).isEqualTo(4000);
            assertThat(end.getDuration()).isPositive();
            assertThat(end.getDuration("age")).isGreaterThanOrEqualTo(end.getDuration());
            assertThat(end.getString("end")).isNotEmpty();
        });
    }

    @Test
    @Tag("slow")
    void theAgentThatIsSwitchedOffLeavesSocketsAlone() throws Exception {
        try (ChildProcess run = ChildProcess.start(ChildProcess.java(
                List.of("--enable-native-access=ALL-UNNAMED", "-javaagent:" + JAR + "=off,log"),
                SocketPairProgram.class,
                List.of("word")))) {
            assertThat(run.awaitExit(LONG)).as(run.err()).isZero();
            assertThat(run.out()).contains("word came 1000 times");
            assertThat(run.err()).doesNotContain("shared memory");
        }
    }

    @Test
    void anAgentThatCannotWorkSaysWhyAndTheProgramRuns() throws Exception {
        try (ChildProcess run = ChildProcess.start(
                ChildProcess.java(List.of("-javaagent:" + JAR), SocketPairProgram.class, List.of("word")))) {
            assertThat(run.awaitExit(LONG)).as(run.err()).isZero();
            assertThat(run.out()).contains("word came 1000 times");
            assertThat(run.err()).contains("sockets stay plain", "--enable-native-access=ALL-UNNAMED");
        }
    }
}
