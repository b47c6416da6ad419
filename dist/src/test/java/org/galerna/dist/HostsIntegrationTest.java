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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlocks, and exchanges of items with gaps, of ranks on several hosts. */
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

    /** Rank {@code r} sends {@code (r + to) % 3} items of every other int to rank {@code to}; what lies between is left alone. */
    private static final String EXCHANGE = """
            import java.util.Arrays;
            import mpi.Datatype;
            import mpi.MPI;

            public class Exchange {
                static final int MOST = 2;
                static final int INTS = 3;
                static final int GAP = -1;

                public static void main(String[] args) {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    int size = MPI.COMM_WORLD.Size();
                    Datatype item = Datatype.Vector(INTS, 1, 2, MPI.INT);
                    item.Commit();
                    int extent = item.Extent();
                    int[] counts = new int[size];
                    int[] places = new int[size];
                    int[] sent = new int[size * MOST * extent];
                    int[] expected = new int[sent.length];
                    int[] received = new int[sent.length];
                    Arrays.fill(sent, GAP);
                    Arrays.fill(expected, GAP);
                    Arrays.fill(received, GAP);
                    for (int other = 0; other < size; other++) {
                        counts[other] = (rank + other) % (MOST + 1);
                        places[other] = other * MOST;
                        for (int number = 0; number < counts[other]; number++) {
                            for (int each = 0; each < INTS; each++) {
                                int at = (places[other] + number) * extent + 2 * each;
                                sent[at] = value(rank, other, number, each);
                                expected[at] = value(other, rank, number, each);
                            }
                        }
                    }
                    for (int round = 0; round < 3; round++) {
                        Arrays.fill(received, GAP);
                        MPI.COMM_WORLD.Alltoallv(sent, 0, counts, places, item, received, 0, counts, places, item);
                        if (!Arrays.equals(received, expected)) {
                            throw new AssertionError(
                                    "rank " + rank + " got " + Arrays.toString(received) + ", not " + Arrays.toString(expected));
                        }
                    }
                    MPI.Finalize();
                    System.out.println("rank " + rank + " is right");
                }

                static int value(int from, int to, int number, int each) {
                    return ((from * 10 + to) * 10 + number) * 10 + each;
                }
            }
            """;

    private Path folder;
    private Path classes;
    private VirtualHosts hosts;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        classes = Programs.compile(folder.resolve("classes"), PROGRAM, EXCHANGE);
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

    /** Each process has one rank, so both algorithms send between processes; four are on one host and three on the other. */
    @ParameterizedTest
    @ValueSource(strings = {"twoLevel", "bruck", "pairwise"})
    void itemsWithGapsReachProcessesOnAllHosts(String algorithm) throws Exception {
        try (ChildProcess job = ChildProcess.start(hosts.on(
                "a",
                List.of(
                        JAVA.toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-jar",
                        JAR.toString(),
                        "run",
                        "--procs",
                        "--hosts",
                        "a:4,b:3",
                        "--ssh-command",
                        String.join(" ", hosts.ssh()),
                        "-Dgalerna.coll.alltoallv=" + algorithm,
                        "-cp",
                        classes.toString(),
                        "Exchange")))) {
            job.endInput();
            int status = job.awaitExit(LONGEST);
            assertThat(status).as(job.err()).isZero();
            assertThat(job.out().lines().filter(line -> line.endsWith(" is right")))
                    .hasSize(7);
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
