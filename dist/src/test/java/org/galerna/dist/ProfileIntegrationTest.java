package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;
import org.galerna.testkit.process.Tools;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code galerna run --profile} and {@code --otf2}, with ranks as threads and as processes. */
@TestInstance(Lifecycle.PER_CLASS)
class ProfileIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final String PROGRAM = """
            import mpi.*;

            public class Program {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    if (args[0].equals("kill") && rank == 1) {
                        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
                    }
                    for (int round = 0; round < 20; round++) {
                        if (rank == 0) {
                            java.util.concurrent.TimeUnit.MILLISECONDS.sleep(10);
                            MPI.COMM_WORLD.Ssend(new byte[64], 0, 64, MPI.BYTE, 1, 5);
                        } else {
                            MPI.COMM_WORLD.Recv(new byte[64], 0, 64, MPI.BYTE, 0, 5);
                        }
                    }
                    MPI.Finalize();
                }
            }
            """;

    private Path folder;
    private Path classes;

    @BeforeAll
    void compile(@TempDir Path temporary) {
        folder = temporary;
        classes = Programs.compile(folder.resolve("classes"), PROGRAM);
    }

    private record Run(int status, String err) {}

    private Run run(String options, String argument, Path page) throws InterruptedException {
        return runFor(options, argument, "--profile", page);
    }

    private Run runFor(String options, String argument, String option, Path result) throws InterruptedException {
        List<String> words = new ArrayList<>(List.of("run", "-n", "2"));
        Stream.of(options.split(" ")).filter(word -> !word.isEmpty()).forEach(words::add);
        words.addAll(List.of(option, result.toString(), "-cp", classes.toString(), "Program", argument));
        try (ChildProcess process = ChildProcess.start(new ProcessBuilder(GalernaCommand.of(words)))) {
            process.endInput();
            return new Run(process.awaitExit(LONGEST), process.err());
        }
    }

    @Test
    void aLateSenderIsFound() throws Exception {
        findTheLateSender("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--procs", "--procs --ranks-per-process 2"})
    @Tag("slow")
    void aLateSenderIsFoundInProcesses(String options) throws Exception {
        findTheLateSender(options);
    }

    private void findTheLateSender(String options) throws Exception {
        Path own = Files.createTempDirectory(folder, "run");
        Run run = run(options, "late", own.resolve("run.html"));
        assertThat(run.status).as(run.err).isZero();
        assertThat(run.err).contains("the profile is ");
        String page = Files.readString(own.resolve("run.html"));
        assertThat(page).contains("Rank 0 sends late").contains("Recv at Program.<wbr>main:15");
        assertThat(Files.readString(own.resolve("run.json"))).contains("\"title\" : \"Rank 0 sends late\"");
        assertThat(Files.readString(own.resolve("run.trace.json")))
                .contains("\"name\":\"Recv\"", "\"name\":\"rank 1\"");
        try (Stream<Path> left = Files.list(own)) {
            assertThat(left).hasSize(3);
        }
    }

    @Test
    @Tag("slow")
    void theToolOfTheFormatReadsTheTrace() throws Exception {
        Path print = Tools.require("otf2-print", "otf2-tools");
        Path own = Files.createTempDirectory(folder, "trace");
        Run run = runFor("--procs", "late", "--otf2", own.resolve("trace"));
        assertThat(run.status).as(run.err).isZero();
        assertThat(run.err).contains("the trace is " + own.resolve("trace/traces.otf2"));
        try (ChildProcess process = ChildProcess.start(new ProcessBuilder(
                print.toString(), own.resolve("trace/traces.otf2").toString()))) {
            process.endInput();
            assertThat(process.awaitExit(LONGEST)).as(process.err()).isZero();
            assertThat(process.err()).isEmpty();
            assertThat(process.out().lines().filter(line -> line.startsWith("MPI_SEND ")))
                    .hasSize(20)
                    .allMatch(
                            line -> line.contains("Receiver: 1 (\"rank 1\" <1>), Communicator: \"MPI_COMM_WORLD\" <0>, "
                                    + "Tag: 5, Length: 64"));
            assertThat(process.out().lines().filter(line -> line.startsWith("MPI_RECV ")))
                    .hasSize(20)
                    .allMatch(line -> line.contains("Sender: 0 "));
        }
        assertThat(runFor("", "late", "--otf2", own.resolve("trace")).err)
                .contains("--otf2 " + own.resolve("trace") + " has files in it")
                .doesNotContain("\tat ");
    }

    @Test
    @Tag("slow")
    void thePageNamesTheRankThatWasKilled() throws Exception {
        Path own = Files.createTempDirectory(folder, "killed");
        Run run = run("--procs", "kill", own.resolve("run.html"));
        assertThat(run.status).isNotZero();
        assertThat(Files.readString(own.resolve("run.html"))).contains("Rank 1 left no file");
    }

    @Test
    void aPageThatCannotBeWrittenIsRefusedBeforeTheJobStarts() throws Exception {
        Run run = run("", "late", folder.resolve("nowhere/run.html"));
        assertThat(run.status).isEqualTo(2);
        assertThat(run.err)
                .contains("--profile " + folder.resolve("nowhere/run.html") + " cannot be written: there is no folder")
                .doesNotContain("\tat ");
    }
}
