package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.JobLauncher;
import org.galerna.testkit.process.JobManagers;
import org.galerna.testkit.process.JobManagers.Kind;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code galerna run} and {@code galerna demo} with ranks that are processes: here, on hosts, under job managers. */
@TestInstance(Lifecycle.PER_CLASS)
class RunIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final String PROGRAM = """
            import mpi.*;

            public class Program {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    int[] sum = new int[1];
                    MPI.COMM_WORLD.Allreduce(new int[] {rank + 1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    switch (args[0]) {
                        case "sum" -> System.out.println("sum " + sum[0] + " " + args[1]);
                        case "abort" -> { if (rank == 1) MPI.COMM_WORLD.Abort(7); else receiveFrom(1); }
                        case "circle" -> receiveFrom((rank + 1) % MPI.COMM_WORLD.Size());
                        case "late" -> {
                            if (rank == MPI.COMM_WORLD.Size() - 1) pause(2500);
                            int[] all = new int[MPI.COMM_WORLD.Size()];
                            MPI.COMM_WORLD.Gather(new int[] {rank}, 0, 1, MPI.INT, all, 0, 1, MPI.INT, 0);
                        }
                        case "outside" -> {
                            if (rank == 0) {
                                String come = "until [ -e '" + args[1] + "' ]; do sleep 0.05; done";
                                new ProcessBuilder("sh", "-c", come).start().onExit().thenRun(() ->
                                        MPI.COMM_WORLD.Send(new byte[1], 0, 1, MPI.BYTE, 1, 99));
                            }
                            receiveFrom(1 - rank);
                            if (rank == 1) {
                                MPI.COMM_WORLD.Send(new byte[1], 0, 1, MPI.BYTE, 0, 99);
                            }
                        }
                        case "leave" -> {
                            if (rank == 1) return;
                            Request receive = MPI.COMM_WORLD.Irecv(new byte[1], 0, 1, MPI.BYTE, 1, 99);
                            try {
                                MPI.COMM_WORLD.Probe(1, 98);
                            } catch (MPIException gone) {
                                System.out.println(gone.getMessage().replaceAll(".*because ", ""));
                            }
                            receive.Cancel();
                            System.out.println("cancelled " + receive.Wait().Test_cancelled());
                        }
                        case "lastWords" -> {
                            byte[] words = new byte[60_000];
                            for (int number = 0; rank == 1 && number < 8; number++) {
                                MPI.COMM_WORLD.Send(words, 0, words.length, MPI.BYTE, 0, number);
                            }
                            if (rank == 1) return;
                            pause(1500); // the system has room for a part of them
                            for (int number = 0; number < 8; number++) {
                                MPI.COMM_WORLD.Recv(words, 0, words.length, MPI.BYTE, 1, number);
                            }
                            System.out.println("all have come");
                        }
                        case "kill" -> {
                            if (rank == 1) kill();
                            try {
                                receiveFrom(1);
                            } catch (MPIException gone) {
                                System.out.println(gone.getMessage());
                                throw gone;
                            }
                        }
                        default -> throw new AssertionError(args[0]);
                    }
                    MPI.Finalize();
                    if (args[0].equals("late") && rank == 0) {
                        pause(700);
                        System.out.println("results are written");
                    }
                }

                static void pause(long millis) throws Exception {
                    java.util.concurrent.TimeUnit.MILLISECONDS.sleep(millis);
                }

                static void receiveFrom(int source) {
                    MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, source, 99);
                }

                static void kill() throws Exception {
                    new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
                }
            }
            """;

    private final JobManagers managers = new JobManagers();

    private Path folder;
    private Path classes;

    @BeforeAll
    void compile(@TempDir Path temporary) {
        folder = temporary;
        classes = Programs.compile(folder.resolve("classes"), PROGRAM);
    }

    @AfterAll
    void stopDaemons() {
        managers.close();
    }

    private record Run(int status, String out, String err) {}

    private static Run run(Map<String, String> environment, List<String> command) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        try (ChildProcess process = ChildProcess.start(builder)) {
            process.endInput();
            int status = process.awaitExit(LONGEST);
            return new Run(status, process.out(), process.err());
        }
    }

    private Run run(Map<String, String> environment, String options, String arguments) throws InterruptedException {
        return run(environment, command(options, arguments));
    }

    private List<String> command(String options, String arguments) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(options.split(" ")));
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classes.toString(), "Program"));
        words.addAll(List.of(arguments.split(" ")));
        return GalernaCommand.of(words);
    }

    @Test
    void runsTheProgramOnTheClassPathOfTheCommandItself() throws Exception {
        List<String> command = GalernaCommand.of(List.of("run", "-n", "3", "Program", "sum", "x"));
        int jar = command.indexOf("-jar");
        command.set(jar, "-cp");
        command.set(jar + 1, classes + File.pathSeparator + command.get(jar + 1));
        command.add(jar + 2, "org.galerna.cli.Main");
        Run run = run(Map.of(), command);
        assertThat(run.out.lines()).as(run.err).containsExactly("sum 6 x", "sum 6 x", "sum 6 x");
        assertThat(run.status).isZero();
    }

    @Test
    void aProgramThatGalernaBringsNeedsNoClassPath() throws Exception {
        Run run = run(
                Map.of(),
                GalernaCommand.of(List.of(
                        "run",
                        "-n",
                        "2",
                        "org.galerna.applications.molecular.Molecular",
                        "--cells",
                        "5",
                        "--steps",
                        "2")));
        assertThat(run.err).isEmpty();
        assertThat(run.out).contains("500 particles, 2 steps");
        assertThat(run.status).isZero();
    }

    // ---- modules

    private Path module() {
        String module = "module app { requires org.galerna; }";
        String program = "package app;\n" + PROGRAM;
        Path galerna = Path.of("target/galerna.jar").toAbsolutePath();
        return Programs.compile(
                folder.resolve("modules/app"), List.of("-cp", "", "-p", galerna.toString()), module, program);
    }

    private static Run runModule(Map<String, String> environment, String options, Path module)
            throws InterruptedException {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(options.split(" ")));
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-p", module.toString(), "-m", "app/app.Program", "sum", "-m"));
        return run(environment, GalernaCommand.of(words));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n 3",
                "-n 3 --procs --ranks-per-process 2",
            })
    @Tag("slow")
    void modulesRunInEveryMode(String options) throws Exception {
        Run run = runModule(Map.of(), options, module());
        assertThat(run.err).isEmpty();
        assertThat(run.out.lines()).containsExactly("sum 6 -m", "sum 6 -m", "sum 6 -m");
        assertThat(run.status).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n 1", "-n 1 --procs"})
    @Tag("slow")
    void aModuleFindsWhatWasStartedInEveryMode(String options) throws Exception {
        Path module = Programs.compile(folder.resolve("modules/app"), List.of(), "module app {}", """
                package app;

                public class Program {
                    public static void main(String[] arguments) {
                        System.out.println(System.getProperty("jdk.module.main") + "/"
                                + System.getProperty("jdk.module.main.class") + " on "
                                + System.getProperty("jdk.module.path"));
                    }
                }
                """);
        Run run = runModule(Map.of(), options, module);
        assertThat(run.err).isEmpty();
        assertThat(run.out.lines())
                .isNotEmpty()
                .allMatch(line -> line.startsWith("app/app.Program on ") && line.contains(module.toString()));
    }

    @ParameterizedTest
    @CsvSource({"mpiexec, MPIEXEC", "mpirun, MPIRUN", "srun, SRUN_PMIX"})
    @Tag("slow")
    void aJobManagerStartsModules(String name, Kind kind) throws Exception {
        Run run = runModule(environment(name, kind), "--launcher " + name + " -n 3", module());
        assertThat(run.out.lines()).as(run.err).containsExactly("sum 6 -m", "sum 6 -m", "sum 6 -m");
        assertThat(run.status).isZero();
    }

    // ---- under job managers

    /** Variables with which a program called {@code name} on the path is a job manager that is installed under another. */
    private Map<String, String> environment(String name, Kind kind) throws Exception {
        JobLauncher launcher = managers.launcher(kind);
        Path programs = Files.createDirectories(folder.resolve("programs-" + kind));
        String words = launcher.start().stream()
                .limit(launcher.start().size() - 1) // without the option that the number of ranks follows
                .collect(Collectors.joining("' '", "'", "'"));
        Path program = Files.writeString(programs.resolve(name), "#!/bin/sh\nexec " + words + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Map<String, String> environment = new HashMap<>(launcher.environment());
        environment.put("PATH", programs + ":" + System.getenv("PATH"));
        return environment;
    }

    @ParameterizedTest
    @CsvSource({"mpiexec, MPIEXEC", "mpirun, MPIRUN", "srun, SRUN_PMIX"})
    @Tag("slow")
    void aJobManagerStartsTheRanks(String name, Kind kind) throws Exception {
        Run run = run(environment(name, kind), "--launcher " + name + " -n 3", "sum $HOME");
        assertThat(run.out.lines()).as(run.err).containsExactly("sum 6 $HOME", "sum 6 $HOME", "sum 6 $HOME");
        assertThat(run.status).isZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"mpiexec, MPIEXEC", "mpirun, MPIRUN", "srun, SRUN_PMIX"})
    void whatAJobManagerSaysOfTheEndIsTheStatus(String name, Kind kind) throws Exception {
        Run run = run(environment(name, kind), "--launcher " + name + " -n 2", "abort");
        assertThat(run.status).as(run.err).isEqualTo(7);
    }

    // ---- reports

    @Test
    @Tag("slow")
    void ranksThatWaitForEachOtherAreReported() throws Exception {
        circleIsReported("--procs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--procs --ranks-per-process 2"})
    @Tag("slow")
    void ranksOfOneProcessThatWaitForEachOtherAreReported(String options) throws Exception {
        circleIsReported(options);
    }

    @Test
    @Tag("slow")
    void aRankThatAnswersLateAndEndsIsNoDeadlock() throws Exception {
        resultsAreWritten("--procs -n 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--procs -n 3 --device shmdev",
                "--procs -n 4 --device niodev",
                "--procs -n 3 --device unixdev",
                "--procs -n 4 --ranks-per-process 2"
            })
    @Tag("slow")
    void aRankThatAnswersLateAndEndsIsNoDeadlockAnywhere(String options) throws Exception {
        resultsAreWritten(options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--procs", "--procs --device niodev", "--procs --device ucxdev", "--procs --device ofidev"})
    @Tag("slow")
    void aRankThatEndsWithoutFinalizeHasLeftInOrder(String options) throws Exception {
        Run run = run(Map.of(), options + " -n 2", "leave");
        assertThat(run.status).as(run.err).isZero();
        assertThat(run.out.lines())
                .as(run.err)
                .containsExactly("rank 1 is gone: it has ended without MPI.Finalize", "cancelled true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"niodev", "ucxdev", "ofidev"})
    @Tag("slow")
    void theLastMessagesOfAProcessThatEndsWithoutFinalizeArrive(String device) throws Exception {
        Run run = run(Map.of(), "--procs -n 2 --device " + device, "lastWords");
        assertThat(run.status).as(run.err).isZero();
        assertThat(run.out).as(run.err).isEqualTo("all have come\n");
    }

    @Test
    @Tag("slow")
    void ranksThatTheEndOfAnotherProcessReleasesAreNoDeadlock() throws Exception {
        Path told = Files.createTempDirectory(folder, "outside").resolve("told");
        try (ChildProcess job = ChildProcess.start(command("--procs -n 2 --deadlock-timeout 1", "outside " + told))) {
            job.endInput();
            job.awaitErr(err -> err.contains("the job goes on"), LONGEST);
            Files.createFile(told);
            assertThat(job.awaitExit(LONGEST)).as(job::err).isZero();
            assertThat(job.err().lines()).singleElement().asString().contains("the job goes on", "waits for a process");
        }
    }

    private void resultsAreWritten(String options) throws Exception {
        Run run = run(Map.of(), options + " --deadlock-timeout 1", "late");
        assertThat(run.status).as(run.err).isZero();
        assertThat(run.out).isEqualTo("results are written\n");
        assertThat(run.err).isEmpty();
    }

    private void circleIsReported(String options) throws Exception {
        Run run = run(Map.of(), (options + " -n 3 --deadlock-timeout 1").strip(), "circle");
        assertThat(run.status).as(run.err).isEqualTo(3);
        for (int rank = 0; rank < 3; rank++) {
            assertThat(run.err)
                    .containsPattern("rank " + rank + "\\b.*receive from rank " + (rank + 1) % 3 + ", tag 99");
        }
        assertThat(run.err).contains("Program.receiveFrom(Program.java:");
    }

    @Test
    @Fault(
            value = 17,
            on = {Where.SHM, Where.LAUNCH})
    void aRankThatIsKilledIsReportedByTheLauncherAndByThoseWhoNeedIt() throws Exception {
        Run run = run(Map.of(), "--procs -n 3", "kill");
        assertThat(run.status).as(run.err).isEqualTo(137);
        assertThat(run.out).contains("because rank 1 is gone: it was killed by signal 9 (SIGKILL)");
        // what others throw follows from that, and is not reported
        assertThat(run.err).isEqualTo("galerna: rank 1 was killed by signal 9 (SIGKILL)\n");
    }

    // ---- the demonstration, which compares its results with a sequential run, bit for bit

    private static List<String> demo(Path output, String options) {
        List<String> words = new ArrayList<>(List.of("demo", "--quick", "--output", output.toString()));
        words.addAll(List.of(options.split(" ")));
        return GalernaCommand.of(words);
    }

    private static void assertEqual(Run run, Path output) throws IOException {
        assertThat(run.status).as(run.err).isZero();
        assertThat(output.resolve("table.txt")).content().contains("yes, bit for bit");
        assertThat(output.resolve("field.png")).isNotEmptyFile();
    }

    @Test
    @Tag("slow")
    void theDemonstrationGivesTheSameBitsOnProcesses(@TempDir Path output) throws Exception {
        assertEqual(run(Map.of(), demo(output, "--procs --ranks 3")), output);
    }

    @Test
    @Tag("slow")
    void theDemonstrationGivesTheSameBitsOnTwoHosts(@TempDir Path output) throws Exception {
        try (VirtualHosts hosts = VirtualHosts.create("a", "b")) {
            Map<String, String> environment = Map.of("GALERNA_SSH", String.join(" ", hosts.ssh()));
            assertEqual(run(environment, hosts.on("a", demo(output, "--hosts a:1,b:1 --ranks 2"))), output);
        }
    }

    /** Their device is hybdev, which takes the way of shmdev there. What they find is confirmed by further jobs. */
    @Tag("slow")
    @Test
    void whatProcessesOfOneHostTuneIsForShmdev() throws Exception {
        Path table = folder.resolve("tuned.table");
        Run tune = run(
                Map.of(),
                GalernaCommand.of(List.of(
                        "tune", "-n", "2", "--procs", "--operations", "barrier", "--quick", "-o", table.toString())));
        assertThat(tune.status()).as(tune.err()).isZero();
        assertThat(tune.out()).contains("barrier", "Once more, in a job of its own", "The table is in " + table);
        assertThat(Files.readString(table)).contains("measured on shmdev", "barrier         shmdev");
    }
}
