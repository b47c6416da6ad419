package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code java -Dgalerna.ranks=3 Main}: a program without a launcher. */
@TestInstance(Lifecycle.PER_CLASS)
class PlainStartIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final String PROGRAM = """
            import mpi.MPI;

            public class Program {
                public static void main(String[] args) {
                    MPI.Init(args);
                    int[] sum = new int[1];
                    MPI.COMM_WORLD.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    if (args[0].equals("abort") && MPI.COMM_WORLD.Rank() == 0) {
                        MPI.COMM_WORLD.Abort(7);
                    }
                    System.out.println(sum[0] + " ranks " + String.join("|", args));
                    MPI.Finalize();
                }
            }
            """;

    private Path classes;

    private record Run(int status, String out, String err) {}

    @BeforeAll
    void compile(@TempDir Path folder) {
        classes = Programs.compile(folder, PROGRAM);
    }

    private Run run(String property, String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                property,
                "-cp",
                Path.of("target/galerna.jar").toAbsolutePath() + File.pathSeparator + classes,
                "Program"));
        command.addAll(List.of(arguments));
        try (ChildProcess process = ChildProcess.start(command)) {
            process.endInput();
            int status = process.awaitExit(LONGEST);
            return new Run(status, process.out(), process.err());
        }
    }

    @Test
    void aPropertyTurnsTheProgramIntoAJob() throws Exception {
        isAJob("-Dgalerna.ranks=3");
    }

    @Test
    @Tag("slow")
    void aPropertyTurnsTheProgramIntoAJobOfProcesses() throws Exception {
        isAJob("-Dgalerna.procs=3");
    }

    private void isAJob(String property) throws Exception {
        Run run = run(property, "two words", "", "-x");
        assertThat(run.out.lines())
                .as(run.err)
                .containsExactly("3 ranks two words||-x", "3 ranks two words||-x", "3 ranks two words||-x");
        assertThat(run.err).isEmpty();
        assertThat(run.status).isZero();
    }

    @Test
    @Tag("slow")
    void theStatusOfTheJobIsThatOfTheJvm() throws Exception {
        assertThat(run("-Dgalerna.ranks=2", "abort").status).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({
        "-Dgalerna.ranks=1000000, 1000000 ranks would take about 1335 GiB of memory",
        "-Dgalerna.procs=1000000, 1000000 ranks would take about 58593 GiB of memory",
        "-Dgalerna.ranks=many, galerna.ranks must be a number of ranks from 1",
        "-Dgalerna.rank=4, did you mean galerna.ranks?"
    })
    void aWrongPropertyIsNamed(String property, String message) throws Exception {
        Run run = run(property, "x");
        assertThat(run.err).contains(message);
        assertThat(run.out).isEmpty();
        assertThat(run.status).isNotZero();
    }
}
