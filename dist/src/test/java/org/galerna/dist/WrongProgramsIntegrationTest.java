package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.WrongPrograms;
import org.galerna.testkit.process.WrongPrograms.Wrong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a job of processes says whose program is wrong. */
class WrongProgramsIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final Wrong KILLED = new Wrong("killed", 137, "rank 1 was killed by signal 9 \\(SIGKILL\\)");

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() {
        WrongPrograms.compile(classes);
    }

    /** Without a common heap it depends on the time whether the message of the other collective is seen. */
    static Stream<Wrong> everywhere() {
        return Stream.concat(
                WrongPrograms.everywhere().stream()
                        .filter(wrong -> !wrong.name().equals("bcastIsOver")),
                Stream.of(KILLED));
    }

    private record Run(int status, String err) {
        static Run of(String name, String options) throws InterruptedException {
            List<String> command = GalernaCommand.of(List.of("run", "-n", "3", "--deadlock-timeout", "1"));
            command.addAll(List.of(options.split(" ")));
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classes.toString(), "Wrong", name));
            try (ChildProcess process = ChildProcess.start(new ProcessBuilder(command))) {
                process.endInput();
                int status = process.awaitExit(LONGEST);
                return new Run(status, process.err());
            }
        }

        void assertAnswers(Wrong wrong) {
            assertThat(err).matches(wrong::isAnsweredBy, wrong.says());
            assertThat(status).isEqualTo(wrong.status());
            assertThat(err).doesNotContain("at org.galerna.", "at mpi.", "DeviceException");
        }
    }

    @Test
    void oneLineSaysWhichCollectiveARankHasMissed() throws Exception {
        Run.of("missesBarrier", "--procs").assertAnswers(find("missesBarrier"));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("everywhere")
    void oneLineSaysWhatHasHappenedToWhom(Wrong wrong) throws Exception {
        Run.of(wrong.name(), "--procs").assertAnswers(wrong);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "countsOfBcast, niodev",
        "skipsBarrier, niodev",
        "skipsBarrier, unixdev",
        "missesBarrier, niodev",
        "killed, niodev"
    })
    void devicesMakeNoDifference(String name, String device) throws Exception {
        Run.of(name, "--procs --device " + device).assertAnswers(find(name));
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"throws", "skipsBarrier", "missesBarrier", "countsOfGather", "exits"})
    void ranksThatShareAProcessAreAnsweredAlike(String name) throws Exception {
        Run.of(name, "--procs --ranks-per-process 2").assertAnswers(find(name));
    }

    /** Without a common heap nobody can tell before all stand still. */
    @Test
    @Tag("slow")
    void aMismatchIsInTheReportOfTheDeadlock() throws Exception {
        Run run = Run.of("bcastAndBarrier", "--procs");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err())
                .containsPattern("rank 0 +waits for rank 1 +in Bcast, root 1, 40 bytes +at Wrong.inAllRanks\\(")
                .containsPattern("rank 1 +waits for rank . +in Barrier +at Wrong.main\\(")
                .contains(
                        "  mismatch: rank 0 is in Bcast, ranks 1, 2 in Barrier; all ranks of a communicator have to call"
                                + " the same collectives in the same order\n");
    }

    private static Wrong find(String name) {
        return everywhere().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }
}
