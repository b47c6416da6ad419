package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.WrongPrograms;
import org.galerna.testkit.process.WrongPrograms.Wrong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a job of threads says whose program is wrong. */
@Timeout(60)
class WrongProgramsTest {
    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() {
        WrongPrograms.compile(classes);
    }

    static List<Wrong> everywhere() {
        return WrongPrograms.everywhere();
    }

    private static Run run(String name) {
        return Run.of(classes, 3, "Wrong", job -> job.deadlockTimeout(Duration.ofMillis(600)), name);
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void oneLineSaysWhatHasHappenedToWhom(Wrong wrong) {
        Run run = run(wrong.name());
        assertThat(run.report()).matches(wrong::isAnsweredBy, wrong.says());
        assertThat(run.status()).isEqualTo(wrong.status());
        assertThat(run.err()).isEmpty();
        assertThat(run.report()).doesNotContain("at org.galerna.", "at mpi.", "DeviceException");
    }
}
