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
import java.util.stream.Stream;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.JobLauncher;
import org.galerna.testkit.process.JobManagers;
import org.galerna.testkit.process.JobManagers.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code galerna run Main.java}: a program that nobody has compiled. */
@TestInstance(Lifecycle.PER_CLASS)
class SourceFileIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final String MAIN = """
            package app;

            import mpi.MPI;

            public class Main {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int[] sum = new int[1];
                    MPI.COMM_WORLD.Allreduce(new int[] {MPI.COMM_WORLD.Rank()}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    Object[] text = {new app.part.Text("sum")};
                    MPI.COMM_WORLD.Bcast(text, 0, 1, MPI.OBJECT, 0);
                    System.out.println(text[0] + " " + sum[0] + " " + String.join("|", args));
                    System.out.flush();
                    if (args.length > 1 && args[1].equals("stay")) {
                        Thread.currentThread().join();
                    }
                    MPI.Finalize();
                }
            }
            """;

    private static final String TEXT = """
            package app.part;

            public record Text(String text) implements java.io.Serializable {
                @Override
                public String toString() {
                    return text;
                }
            }
            """;

    private final JobManagers managers = new JobManagers();

    @TempDir
    private Path folder;

    private Path main;
    private Path temporary;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(folder.resolve("src/app/part"));
        main = Files.writeString(folder.resolve("src/app/Main.java"), MAIN);
        Files.writeString(folder.resolve("src/app/part/Text.java"), TEXT);
        temporary = Files.createDirectories(folder.resolve("tmp"));
    }

    @AfterAll
    void stopDaemons() {
        managers.close();
    }

    private ChildProcess start(Map<String, String> environment, String options, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                Path.of("target/galerna.jar").toAbsolutePath().toString(),
                "run"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return ChildProcess.start(builder);
    }

    private void assertRuns(Map<String, String> environment, String options) throws Exception {
        try (ChildProcess job = start(environment, options, main.toString(), "@a", "-n")) {
            job.endInput();
            int status = job.awaitExit(LONGEST);
            assertThat(job.out().lines()).as(job.err()).containsExactly("sum 3 @a|-n", "sum 3 @a|-n", "sum 3 @a|-n");
            assertThat(job.err()).isEmpty();
            assertThat(status).isZero();
        }
        assertThat(classFolders()).isEmpty();
    }

    private List<Path> classFolders() throws IOException {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(path -> path.getFileName().toString().startsWith("galerna-classes"))
                    .toList();
        }
    }

    @Test
    @Tag("slow")
    void runsInProcessesOfSeveralRanks() throws Exception {
        assertRuns(Map.of(), "-n 3 --procs --ranks-per-process 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n 3", "-n 3 --procs"})
    @Tag("slow")
    void runsInEveryMode(String options) throws Exception {
        assertRuns(Map.of(), options);
    }

    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMIX"})
    @Tag("slow")
    void runsUnderEveryManager(Kind kind) throws Exception {
        String name = switch (kind) {
            case MPIRUN -> "mpirun";
            case MPIEXEC -> "mpiexec";
            default -> "srun";
        };
        JobLauncher launcher = managers.launcher(kind);
        List<String> start = launcher.start();
        Path programs = Files.createDirectories(folder.resolve("programs"));
        Path program = Files.writeString(
                programs.resolve(name),
                "#!/bin/sh\nexec '" + String.join("' '", start.subList(0, start.size() - 1)) + "' \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = new HashMap<>(launcher.environment());
        environment.put("PATH", programs + File.pathSeparator + System.getenv("PATH"));
        assertRuns(environment, "-n 3 --launcher " + name);
    }

    @Test
    void errorsAreShownOnceAsTheCompilerHasThem() throws Exception {
        Files.writeString(folder.resolve("src/app/part/Text.java"), "package app.part; public record Text(int) {}");
        try (ChildProcess job = start(Map.of(), "-n 3", main.toString())) {
            assertThat(job.awaitExit(LONGEST)).isEqualTo(1);
            assertThat(job.err()).containsOnlyOnce("Text.java:1: error:").endsWith("error: compilation failed\n");
            assertThat(job.out()).isEmpty();
        }
    }

    /** Nobody but the ranks is left to remove the folder then. */
    @ParameterizedTest
    @ValueSource(strings = {"-n 2", "-n 2 --procs", "-n 2 --procs --ranks-per-process 2"})
    @Tag("slow")
    void leavesNoFolderWhenItIsKilled(String options) throws Exception {
        try (ChildProcess job = start(Map.of(), options, main.toString(), "@a", "stay")) {
            job.awaitOut(out -> out.lines().count() == 2, LONGEST);
            assertThat(classFolders()).hasSize(1);
            job.signal("KILL");
            Deadline.after(LONGEST).await("the folder of classes to be removed", this::noneLeft);
        }
    }

    private boolean noneLeft() {
        try {
            return classFolders().isEmpty();
        } catch (IOException changing) {
            return false;
        }
    }
}
