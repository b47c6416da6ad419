package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Test;

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

    @Test
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
