package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random programs of which it is known whether they get stuck: those are reported, and no others. */
class RandomWaitsIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    /** Of each pair of programs one gets stuck. */
    private static final int PAIRS = Integer.getInteger("galerna.test.randomWaits", 3);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n 3",
                "-n 2 --procs",
                "-n 4 --procs --device niodev",
                "-n 3 --procs --device unixdev",
                "-n 3 --procs --device shmdev",
                "-n 4 --procs --ranks-per-process 2"
            })
    @Tag("slow")
    void whatGetsStuckIsReportedAndNothingElse(String options) throws InterruptedException {
        for (int pair = 0; pair < PAIRS; pair++) {
            long seed = RandomGenerator.getDefault().nextInt(Integer.MAX_VALUE);
            run(options, seed, false);
            run(options, seed, true);
        }
    }

    private static void run(String options, long seed, boolean circle) throws InterruptedException {
        String what = options + " " + RandomWaitsProgram.class.getSimpleName() + " " + seed + " " + circle + " 2500";
        System.out.println(what);
        List<String> command = GalernaCommand.of(List.of("run"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(
                "--deadlock-timeout",
                "1",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                RandomWaitsProgram.class.getName(),
                Long.toString(seed),
                Boolean.toString(circle),
                "2500"));
        try (ChildProcess process = ChildProcess.start(new ProcessBuilder(command))) {
            process.endInput();
            int status = process.awaitExit(LONGEST);
            assertThat(status)
                    .as(() -> what + ":\n" + process.out() + process.err())
                    .isEqualTo(circle ? 3 : 0);
        }
    }
}
