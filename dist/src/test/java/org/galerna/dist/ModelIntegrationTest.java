package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.bench.tune.ScaledJob;
import org.galerna.bench.tune.ScaledJobs;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of more and more ranks that are processes. */
class ModelIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** A virtual machine alone takes some 30 MiB; as threads, ranks would share them. */
    private static final double LEAST_KIB_OF_A_PROCESS = 20_000;

    @Test
    @Tag("slow")
    void whatProcessesTakeIsMeasured(@TempDir Path folder) throws Exception {
        Path report = folder.resolve("jobs.json");
        try (ChildProcess model = ChildProcess.start(GalernaCommand.of(List.of(
                "model",
                "--scale",
                report.toString(),
                "--ranks",
                "2,3",
                "--curves",
                folder.toString(),
                "--procs",
                "--device",
                "shmdev")))) {
            assertThat(model.awaitExit(LONGEST)).as(model.err()).isZero();
            assertThat(model.out()).contains("start.svg: grows", "memory.svg: grows", "collectives.svg: grows");
        }
        assertThat(ScaledJobs.read(report).jobs()).extracting(ScaledJob::ranks).containsExactly(2, 3);
        assertThat(ScaledJobs.read(report).jobs()).allSatisfy(job -> {
            assertThat(job.wireUpSeconds()).isPositive();
            assertThat(job.residentKib()).isGreaterThan(LEAST_KIB_OF_A_PROCESS);
            assertThat(job.calls())
                    .isNotEmpty()
                    .allSatisfy(call -> assertThat(call.microseconds()).isPositive());
        });
    }
}
