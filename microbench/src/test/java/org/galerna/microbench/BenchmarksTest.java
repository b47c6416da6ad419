package org.galerna.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What the benchmarks measure in a process of their tests means nothing; that they run does. */
class BenchmarksTest {
    @Test
    void everyBenchmarkRunsForSomeMilliseconds() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(5))
                        .param("length", "64")
                        .param("count", "1024")
                        .param("queued", "100")
                        .param("wildcards", "true")
                        .param("storeMisses", "false")
                        .param("concurrentClaims", "false")
                        .param("type", "INT")
                        .param("array", "BYTES")
                        .param("policy", "LEARNING")
                        .param("cores", "1")
                        .param("operator", "SUM")
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        assertThat(results)
                .isNotEmpty()
                .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore())
                        .as(result.getParams().getBenchmark())
                        .isPositive());
    }
}
