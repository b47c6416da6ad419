package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.JobManagers;
import org.galerna.testkit.process.JobManagers.Kind;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** An MPI program under the job managers, with {@code galerna.jar} on the class path and nothing else. */
@TestInstance(Lifecycle.PER_CLASS)
class JobManagersIntegrationTest {
    private static final int RANKS = 3;
    private static final Duration LONGEST = Duration.ofMinutes(2);

    /** For jobs that are over before compiling them well pays. */
    private static final List<String> SHORT = List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1");

    /** Ranks talk; then rank 1 does what the first argument says, and the others need it. */
    private static final String PROGRAM = """
            import java.util.Arrays;
            import java.util.Random;
            import mpi.MPI;

            public class Program {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    int size = MPI.COMM_WORLD.Size();
                    passAround(rank, size);
                    addUp(rank, size);
                    String what = args.length == 0 ? "" : args[0];
                    if (what.equals("again")) {
                        MPI.Finalize();
                        if (rank == 1 && args[1].equals("leave")) {
                            return;
                        }
                        MPI.Init(args);
                        passAround(rank, size);
                        what = args[1];
                    }
                    if (what.equals("deadlock")) {
                        if (rank != 1) {
                            MPI.COMM_WORLD.Barrier();
                        } else {
                            MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, 0, 99);
                        }
                    } else if (what.startsWith("deadlockWithoutRankZero")) {
                        if (rank > 0) {
                            MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, 3 - rank, 99);
                        } else if (what.endsWith("Later")) {
                            java.util.concurrent.TimeUnit.MILLISECONDS.sleep(2500);
                        }
                    } else if (what.equals("compute")) {
                        long end = System.nanoTime() + 4_000_000_000L;
                        while (rank == 1 && System.nanoTime() < end) {
                            Thread.onSpinWait();
                        }
                        MPI.COMM_WORLD.Barrier();
                    } else if (what.equals("skip")) {
                        if (rank != 1) {
                            MPI.COMM_WORLD.Barrier();
                        }
                    } else if (rank == 1) {
                        switch (what) {
                            case "abort" -> MPI.COMM_WORLD.Abort(21);
                            case "throw" -> throw new IllegalStateException("bad");
                            case "kill" -> new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid())
                                    .start().waitFor();
                            case "return", "leave" -> { return; }
                            default -> {}
                        }
                    } else if (!what.isEmpty() && !what.equals("leave")) {
                        MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, 1, 99);
                    }
                    MPI.Finalize();
                    System.out.println("rank " + rank + " of " + size + " is done");
                }

                static void passAround(int rank, int size) {
                    int to = (rank + 1) % size;
                    int from = (rank + size - 1) % size;
                    for (int bytes : new int[] {1, 1000, 65536, 3_000_000}) {
                        byte[] received = new byte[bytes];
                        MPI.COMM_WORLD.Sendrecv(bytes(rank, bytes), 0, bytes, MPI.BYTE, to, 5,
                                received, 0, bytes, MPI.BYTE, from, 5);
                        check(Arrays.equals(received, bytes(from, bytes)));
                    }
                }

                static void addUp(int rank, int size) {
                    double[] own = new double[10_000];
                    double[] sum = new double[own.length];
                    Arrays.fill(own, rank + 1);
                    for (int round = 0; round < 5; round++) {
                        MPI.COMM_WORLD.Allreduce(own, 0, sum, 0, sum.length, MPI.DOUBLE, MPI.SUM);
                    }
                    for (double each : sum) {
                        check(each == size * (size + 1) / 2.0);
                    }
                }

                static byte[] bytes(int seed, int length) {
                    byte[] bytes = new byte[length];
                    new Random(seed * 31L + length).nextBytes(bytes);
                    return bytes;
                }

                static void check(boolean right) {
                    if (!right) {
                        throw new AssertionError("wrong data");
                    }
                }
            }
            """;

    private final JobManagers managers = new JobManagers();
    private Path classes;

    @BeforeAll
    void compile(@TempDir Path folder) {
        classes = Programs.compile(folder, PROGRAM);
    }

    @AfterAll
    void stopDaemons() {
        managers.close();
    }

    private record Run(int status, String out, String err) {}

    private Run run(Kind kind, List<String> options, String... arguments) throws InterruptedException {
        return end(managers.launcher(kind).start(RANKS, java(options, "Program", arguments)));
    }

    private List<String> java(List<String> options, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        String jar = Path.of("target/galerna.jar").toAbsolutePath().toString();
        command.addAll(List.of("-cp", jar + File.pathSeparator + classes, mainClass));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Run end(ChildProcess started) throws InterruptedException {
        try (ChildProcess job = started) {
            int status = job.awaitExit(LONGEST);
            return new Run(status, job.out(), job.err());
        }
    }

    private static void assertAllDone(Run run) {
        assertThat(run.out.lines().sorted())
                .as(run.err)
                .containsExactly("rank 0 of 3 is done", "rank 1 of 3 is done", "rank 2 of 3 is done");
        assertThat(run.status).isZero();
    }

    @Test
    void programsRunUnderMpiexec() throws Exception {
        run(Kind.MPIEXEC);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"MPIEXEC", "SRUN_NONE", "SRUN_PMIX", "SRUN_CRAY", "MPIEXEC_PORT"})
    void programsRunUnderEveryManager(Kind kind) throws Exception {
        run(kind);
    }

    @Test
    @Tag("slow")
    void programsRunWhereMpiexecListensAtAPort() throws Exception {
        run(Kind.MPIEXEC_PORT);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"SRUN_PMIX", "SRUN_CRAY"})
    void programsRunUnderEveryProtocolOfSlurm(Kind kind) throws Exception {
        run(kind);
    }

    private void run(Kind kind) throws Exception {
        Run run = run(kind, SHORT);
        assertAllDone(run);
        assertThat(run.err).isEmpty();
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "SRUN_PMIX"})
    void theSimulationLeavesTheSameBitsUnderOtherManagersToo(Kind kind, @TempDir Path folder) throws Exception {
        theSimulationLeavesTheSameBitsUnderEveryManager(kind, folder);
    }

    @ParameterizedTest
    @EnumSource(names = "MPIRUN")
    @Tag("slow")
    void theSimulationLeavesTheSameBitsUnderEveryManager(Kind kind, @TempDir Path folder) throws Exception {
        Path together = folder.resolve("together");
        Run run = end(managers.launcher(kind).start(4, simulation(together)));
        assertThat(run.status).as(run.err).isZero();
        Path alone = folder.resolve("alone");
        assertThat(end(ChildProcess.start(simulation(alone))).status).isZero();
        for (String file : List.of("field.bin", "energy.csv", "field.png")) {
            assertThat(together.resolve(file)).hasSameBinaryContentAs(alone.resolve(file));
        }
    }

    private List<String> simulation(Path output) {
        return java(
                SHORT,
                "org.galerna.applications.fdtd.Fdtd",
                Path.of("../examples/fdtd/harbour.properties").toAbsolutePath().toString(),
                output.toString(),
                "--steps",
                "100",
                "--field",
                output.resolve("field.bin").toString(),
                "--progress",
                "none");
    }

    @Test
    @Tag("slow")
    void noOptionIsNeeded() throws Exception {
        assertAllDone(run(Kind.MPIEXEC, List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shmdev", "niodev", "iodev"})
    @Tag("slow")
    void everyDeviceOfProcessesWorks(String device) throws Exception {
        assertAllDone(run(Kind.MPIEXEC, List.of("-Dgalerna.device=" + device)));
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "MPIRUN, shmdev",
        "MPIRUN, niodev",
        "SRUN_PMIX, shmdev",
        "SRUN_PMIX, niodev",
        "SRUN_PMI2, shmdev",
        "SRUN_PMI2, niodev"
    })
    void everyDeviceWorksUnderEveryManager(Kind kind, String device) throws Exception {
        assertAllDone(run(kind, List.of("-Dgalerna.device=" + device)));
    }

    @ParameterizedTest
    @EnumSource(names = "MPIEXEC")
    @Tag("slow")
    void abortEndsAllWithItsStatus(Kind kind) throws Exception {
        Run run = run(kind, SHORT, "abort");
        assertThat(run.err).contains("galerna: rank 1 has aborted the job with status 21");
        assertThat(run.status).isEqualTo(21);
        assertThat(run.out).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "MPIRUN")
    @Tag("slow")
    void anExceptionEndsAllWithItsStackTrace(Kind kind) throws Exception {
        Run run = run(kind, SHORT, "throw");
        assertThat(run.err)
                .contains(
                        "galerna: rank 1 has failed: java.lang.IllegalStateException: bad\n    at Program.main(Program.java:");
        assertThat(run.status).isNotZero();
        assertThat(run.out).isEmpty();
    }

    /** The other tier has one of the ranks that {@code galerna run} starts. */
    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMI2", "SRUN_PMIX"})
    @Tag("slow")
    void aDeadlockIsReportedWithTheCallsOfAllRanks(Kind kind) throws Exception {
        List<String> options = new ArrayList<>(SHORT);
        options.add("-Dgalerna.deadlock.timeout=1");
        Run run = run(kind, options, "deadlock");
        assertThat(run.err)
                .containsOnlyOnce("galerna: ")
                .contains("galerna: deadlock: every rank that has not ended waits for a message")
                .containsPattern("rank 0 +waits for rank [12] +in Barrier +at Program.main\\(Program.java:\\d+\\)\n")
                .containsPattern("rank 1 +waits for rank 0 +in receive from rank 0, tag 99 +at Program.main\\(")
                .contains("cycle: ");
        if (kind != Kind.SRUN_PMI2) {
            assertThat(run.status).isEqualTo(3);
        }
    }

    /** Each process has one watch, however often its rank joins. */
    @ParameterizedTest
    @EnumSource(names = "MPIEXEC")
    @Tag("slow")
    void aDeadlockAfterASecondInitIsReported(Kind kind) throws Exception {
        List<String> options = new ArrayList<>(SHORT);
        options.add("-Dgalerna.deadlock.timeout=1");
        Run run = run(kind, options, "again", "deadlock");
        assertThat(run.err)
                .containsOnlyOnce("galerna: deadlock")
                .containsPattern("rank 1 +waits for rank 0 +in receive from rank 0, tag 99 +at Program.main\\(");
        assertThat(run.status).isEqualTo(kind == Kind.SRUN_PMI2 ? 137 : 3);
    }

    @ParameterizedTest
    @EnumSource(names = "MPIEXEC")
    @Tag("slow")
    void aSecondInitFailsIfARankHasEnded(Kind kind) throws Exception {
        Run run = run(kind, SHORT, "again", "leave");
        assertThat(run.err)
                .contains(
                        "has failed: mpi.MPIException: MPI.Init",
                        "waits for all ranks to arrive, but rank 1 has ended");
        assertThat(run.status).isNotZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"MPIRUN", "SRUN_PMI2", "SRUN_PMIX"})
    void aSecondInitIsAlikeUnderEveryManager(Kind kind) throws Exception {
        assertAllDone(run(kind, SHORT, "again", ""));
        aDeadlockAfterASecondInitIsReported(kind);
        aSecondInitFailsIfARankHasEnded(kind);
    }

    /** The others wait for each other when rank 1 is gone. */
    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN"})
    void aDeadlockOfThoseThatAreLeftIsReported(Kind kind) throws Exception {
        leavesADeadlock(kind, "deadlockWithoutRankZero");
    }

    /** Rank 0 ends when the others have told it that they stand still: another one decides then. */
    @ParameterizedTest
    @EnumSource(names = "MPIEXEC")
    @Tag("slow")
    void aDeadlockIsReportedWhenTheRankThatDecidesHasEnded(Kind kind) throws Exception {
        leavesADeadlock(kind, "deadlockWithoutRankZeroLater");
    }

    private void leavesADeadlock(Kind kind, String what) throws Exception {
        List<String> options = new ArrayList<>(SHORT);
        options.add("-Dgalerna.deadlock.timeout=1");
        Run run = run(kind, options, what);
        assertThat(run.err)
                .containsPattern("rank 1 +waits for rank 2 +in receive from rank 2")
                .containsPattern("rank 2 +waits for rank 1 +in receive from rank 1")
                .contains("ended: rank 0", "cycle: 1 → 2 → 1");
        assertThat(run.status).isEqualTo(3);
    }

    /** A rank computes for longer than the others are patient. */
    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN"})
    void ranksThatWaitForOneThatComputesAreLeftAlone(Kind kind) throws Exception {
        List<String> options = new ArrayList<>(SHORT);
        options.add("-Dgalerna.deadlock.timeout=0.5");
        Run run = run(kind, options, "compute");
        assertAllDone(run);
        assertThat(run.err).isEmpty();
    }

    /** Once they are connected, ranks notice by themselves what Slurm does not tell them. */
    @Tag("slow")
    @ParameterizedTest
    @Fault(value = 17, on = Where.LAUNCH)
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMI2", "SRUN_PMIX"})
    void aKilledRankEndsTheJob(Kind kind) throws Exception {
        assertThat(run(kind, SHORT, "kill").status).isNotZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMI2", "SRUN_PMIX"})
    void aRankThatReturnsWithoutFinalizeIsMissedByThoseThatNeedIt(Kind kind) throws Exception {
        Run run = run(kind, SHORT, "return");
        assertThat(run.err)
                .contains("galerna: rank 1 has ended without MPI.Finalize")
                .contains("mpi.MPIException");
        assertThat(run.status).isNotZero();
    }

    @ParameterizedTest
    @EnumSource(names = "MPIEXEC")
    @Tag("slow")
    void aRankThatReturnsWithoutFinalizeIsNotMissedByOthers(Kind kind) throws Exception {
        Run run = run(kind, SHORT, "leave");
        assertThat(run.err).contains("galerna: rank 1 has ended without MPI.Finalize");
        assertThat(run.out.lines().sorted()).containsExactly("rank 0 of 3 is done", "rank 2 of 3 is done");
        assertThat(run.status).isZero();
    }

    /** All who wait for it notice, and one of them reports it for all. */
    @ParameterizedTest
    @EnumSource(names = "MPIEXEC")
    @Tag("slow")
    void oneReportSaysWhichCollectiveARankHasMissed(Kind kind) throws Exception {
        Run run = run(kind, SHORT, "skip");
        assertThat(run.err.lines().filter(line -> line.startsWith("galerna: ")))
                .singleElement()
                .asString()
                .matches(
                        "galerna: rank 1 has left the job without its part in the Barrier that ranks? [02](, 2)? (is|are)"
                                + " in");
        assertThat(run.status).isNotZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMI2", "SRUN_PMIX"})
    void endsAreAlikeUnderEveryManager(Kind kind) throws Exception {
        oneReportSaysWhichCollectiveARankHasMissed(kind);
        anExceptionEndsAllWithItsStackTrace(kind);
        if (kind != Kind.SRUN_PMI2) { // which gives no status for the whole job
            abortEndsAllWithItsStatus(kind);
        }
        if (kind == Kind.MPIRUN) {
            aRankThatReturnsWithoutFinalizeIsNotMissedByOthers(kind);
        }
    }
}
