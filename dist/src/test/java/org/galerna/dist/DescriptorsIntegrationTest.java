package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose processes may open few files: wherever the last one is used up on the way, that is said, and nobody waits. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class DescriptorsIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** With fewer the virtual machine itself cannot load its classes for files and sockets. */
    private static final int FEWEST = 12;

    private static final int ENOUGH = 64;

    private static final String PROGRAM = """
            import mpi.*;

            public class Program {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int[] sum = new int[1];
                    MPI.COMM_WORLD.Allreduce(
                            new int[] {MPI.COMM_WORLD.Rank() + 1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    System.out.println("sum " + sum[0]);
                    MPI.Finalize();
                }
            }
            """;

    private Path classes;

    @BeforeAll
    void compile(@TempDir Path folder) {
        classes = Programs.compile(folder.resolve("classes"), PROGRAM);
    }

    private List<String> command(int descriptors, String options) {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "ulimit -n " + descriptors + " && exec \"$0\" \"$@\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                Path.of("target/galerna.jar").toAbsolutePath().toString(),
                "run"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classes.toString(), "Program"));
        return command;
    }

    @Fault(
            value = 28,
            on = {Where.SHM, Where.TCP, Where.LAUNCH})
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--procs -n 1 -dev niodev",
                "--procs -n 2 -dev niodev",
                "--procs -n 2 -dev shmdev",
                "--procs -n 4 --ranks-per-process 2"
            })
    void aJobWithTooFewDescriptorsSaysSoAndOneWithEnoughRuns(String options) throws Exception {
        int refused = 0;
        int status = -1;
        for (int descriptors = FEWEST; descriptors <= ENOUGH && status != 0; descriptors++) {
            try (ChildProcess job = ChildProcess.start(command(descriptors, options))) {
                job.endInput();
                status = job.awaitExit(LONGEST);
                if (status == 0) {
                    assertThat(job.out()).contains("sum ");
                } else {
                    refused++;
                    assertThat(job.err())
                            .as("%s with %s descriptors: status %s, %s", options, descriptors, status, job.out())
                            .containsPattern("Too many open files|file descriptor|Error 24");
                }
            }
        }
        assertThat(status).as("with %s descriptors", ENOUGH).isZero();
        assertThat(refused).as("limits that were too low").isPositive();
    }
}
