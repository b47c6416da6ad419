package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.launch.report.JobResult;
import org.galerna.testkit.process.WrongPrograms;
import org.galerna.testkit.process.WrongPrograms.Wrong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a job of processes says whose program is wrong. */
@Timeout(120)
class WrongProgramsInProcessesTest {
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

    private record Run(JobResult result, String err) {
        static Run of(String name, int ranksPerProcess, String device) {
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            ProcessJob.Builder job = ProcessJob.builder()
                    .ranks(3)
                    .ranksPerProcess(ranksPerProcess)
                    .classPath(classes.toString())
                    .mainClass("Wrong")
                    .arguments(List.of(name))
                    .jvmOptions(List.of("-XX:TieredStopAtLevel=1"))
                    .deadlockTimeout(Duration.ofSeconds(1))
                    .standardInput(new ByteArrayInputStream(new byte[0]))
                    .standardOutput(new ByteArrayOutputStream())
                    .standardError(err);
            if (!device.isEmpty()) {
                job.device(device);
            }
            return new Run(job.build().run(), err.toString(StandardCharsets.UTF_8));
        }

        void assertAnswers(Wrong wrong) {
            assertThat(result.report()).matches(wrong::isAnsweredBy, wrong.says());
            assertThat(result.status()).isEqualTo(wrong.status());
            assertThat(err).isEmpty();
            assertThat(result.report()).doesNotContain("at org.galerna.", "at mpi.", "DeviceException");
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("everywhere")
    void oneLineSaysWhatHasHappenedToWhom(Wrong wrong) {
        Run.of(wrong.name(), 1, "").assertAnswers(wrong);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"countsOfBcast, niodev", "skipsBarrier, niodev", "skipsBarrier, unixdev", "killed, niodev"})
    void devicesMakeNoDifference(String name, String device) {
        Wrong wrong = everywhere()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        Run.of(name, 1, device).assertAnswers(wrong);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"throws", "skipsBarrier", "countsOfGather", "exits"})
    void ranksThatShareAProcessAreAnsweredAlike(String name) {
        Wrong wrong = everywhere()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        Run.of(name, 2, "").assertAnswers(wrong);
    }

    /** Without a common heap nobody can tell before all stand still. */
    @Test
    void aMismatchIsInTheReportOfTheDeadlock() {
        Run run = Run.of("bcastAndBarrier", 1, "");
        assertThat(run.result().status()).isEqualTo(3);
        assertThat(run.result().report())
                .containsPattern("rank 0 +waits for rank 1 +in Bcast, root 1, 40 bytes +at Wrong.inAllRanks\\(")
                .containsPattern("rank 1 +waits for rank . +in Barrier +at Wrong.main\\(")
                .contains(
                        "  mismatch: rank 0 is in Bcast, ranks 1, 2 in Barrier; all ranks of a communicator have to call"
                                + " the same collectives in the same order\n");
    }
}
