package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.JobLauncher;
import org.galerna.testkit.process.Programs;
import org.galerna.testkit.process.VirtualHosts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Deadlocks of ranks on several hosts. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class HostsIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Path JAR = Path.of("target/galerna.jar").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private static final String PROGRAM = """
            import mpi.MPI;

            public class Program {
                public static void main(String[] args) {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    int size = MPI.COMM_WORLD.Size();
                    MPI.COMM_WORLD.Barrier();
                    if (rank == size - 1) {
                        MPI.Finalize();
                        return;
                    }
                    MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, (rank + 1) % (size - 1), 99);
                }
            }
            """;

    private Path folder;
    private Path classes;
    private VirtualHosts hosts;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        classes = Programs.compile(folder.resolve("classes"), PROGRAM);
        hosts = VirtualHosts.create("a", "b");
    }

    @AfterAll
    void stop() {
        hosts.close();
    }

    private void assertThatTheCircleIsReported(List<String> command) throws Exception {
        try (ChildProcess job = ChildProcess.start(hosts.on("a", command))) {
            job.endInput();
            int status = job.awaitExit(LONGEST);
            assertThat(job.err())
                    .containsPattern(
                            "rank 0( on host a)? +waits for rank 1( on host b)? +in receive from rank 1, tag 99 +at Program.main\\(")
                    .containsPattern(
                            "rank 1( on host b)? +waits for rank 0( on host a)? +in receive from rank 0, tag 99 +at Program.main\\(")
                    .contains("ended: rank 2", "cycle: 0 → 1 → 0");
            assertThat(status).as(job.err()).isEqualTo(3);
        }
    }

    @Test
    void theLauncherReportsThem() throws Exception {
        assertThatTheCircleIsReported(List.of(
                JAVA.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                JAR.toString(),
                "run",
                "--hosts",
                "a:1,b:2",
                "--ssh-command",
                String.join(" ", hosts.ssh()),
                "--deadlock-timeout",
                "1",
                "-cp",
                classes.toString(),
                "Program"));
    }

    /** The processes find out by themselves. One that has ended is on another host than the one that decides. */
    @Test
    void theyAreReportedUnderAJobManager() throws Exception {
        Path ssh = Files.writeString(
                folder.resolve("ssh"), "#!/bin/sh\nexec " + String.join(" ", hosts.ssh()) + " \"$@\"\n");
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        List<String> program = List.of(
                JAVA.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dgalerna.deadlock.timeout=1",
                "-cp",
                JAR + File.pathSeparator + classes,
                "Program");
        List<String> command = new ArrayList<>(JobLauncher.hydra().start());
        command.addAll(
                1,
                List.of(
                        "-launcher",
                        "ssh",
                        "-launcher-exec",
                        ssh.toString(),
                        "-localhost",
                        hosts.address("a"),
                        "-hosts",
                        hosts.address("a") + ":1," + hosts.address("b") + ":2"));
        command.add("3");
        command.addAll(program);
        assertThatTheCircleIsReported(command);
    }
}
