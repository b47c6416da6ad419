package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.galerna.device.Devices;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of two hosts that use shared memory inside a host, and UCX between hosts. */
@Tag("slow")
class UcxBesideIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Path JAR = Path.of("target/galerna.jar").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private static final String PROGRAM = """
            import mpi.MPI;

            public class Program {
                public static void main(String[] args) {
                    MPI.Init(args);
                    int[] sum = new int[100_000];
                    int[] own = new int[100_000];
                    java.util.Arrays.fill(own, MPI.COMM_WORLD.Rank());
                    MPI.COMM_WORLD.Allreduce(own, 0, sum, 0, own.length, MPI.INT, MPI.SUM);
                    System.out.println("sum " + sum[0] + " " + sum[99_999]);
                    MPI.Finalize();
                }
            }
            """;

    /** A host is a name and a folder for shared memory of its own: UCX 1.13 does not connect between networks. */
    @Test
    void hybdevUsesSharedMemoryInsideAHostAndUcxBetween(@TempDir Path folder) throws Exception {
        Devices.obstacle("ucxdev").ifPresent(Assumptions::abort);
        Path classes = Programs.compile(folder.resolve("classes"), PROGRAM);
        Path ssh = Files.writeString(folder.resolve("ssh"), """
                        #!/bin/bash
                        while [[ $1 == -* ]]; do shift; done
                        host=$1; shift
                        exec unshare -u -m bash -c "mount -t tmpfs none /dev/shm; hostname $host; $*"
                        """);
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        List<String> command = List.of(
                JAVA.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                JAR.toString(),
                "run",
                "--hosts",
                "a:2,b:2",
                "--ssh-command",
                ssh.toString(),
                "--explain",
                "--device-option",
                "ucx.beside=true",
                "-cp",
                classes.toString(),
                "Program");
        try (ChildProcess job = ChildProcess.start(command)) {
            job.endInput();
            int status = job.awaitExit(LONGEST);
            assertThat(status).as(job.err()).isZero();
            assertThat(job.out()).isEqualToIgnoringWhitespace("sum 6 6".repeat(4));
            assertThat(job.err()).contains("rank 0 reaches rank 1 by shm", "rank 0 reaches ranks 2, 3 by ucx");
        }
    }
}
