package org.galerna.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.galerna.bench.report.Ratio;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.Samples;
import org.galerna.bench.report.Unit;
import org.junit.jupiter.api.Test;

class BaselineRunTest {
    private static Result row(String system, long bytes) {
        Samples samples = new Samples();
        samples.add(1);
        return Result.of(system, "mpi", "latency", 2, bytes, 0, Unit.MICROSECONDS, samples, new TreeMap<>());
    }

    private static Result compared(long bytes, double low, double high) {
        return row("galerna", bytes).comparedWith(new Ratio((low + high) / 2, low, high));
    }

    @Test
    void rowsThatMayBeEqualOrAreFasterAreGood() {
        assertThat(BaselineRun.isNowhereWorse(List.of(
                        compared(8, 0.98, 1.02), row("baseline", 8), compared(64, 0.8, 0.9), row("baseline", 64))))
                .isTrue();
    }

    @Test
    void oneRowThatTakesLongerIsEnough() {
        assertThat(BaselineRun.isNowhereWorse(List.of(
                        compared(8, 0.8, 0.9), row("baseline", 8), compared(64, 1.01, 1.05), row("baseline", 64))))
                .isFalse();
    }

    /** A build that crashes where the older one works is not as good. */
    @Test
    void aRowThatOnlyTheBaselineHasIsNotGood() {
        assertThat(BaselineRun.isNowhereWorse(
                        List.of(compared(8, 0.98, 1.02), row("baseline", 8), row("baseline", 64))))
                .isFalse();
    }

    @Test
    void whatTheBaselineDoesNotHaveIsNoMatter() {
        assertThat(BaselineRun.isNowhereWorse(List.of(compared(8, 0.98, 1.02), row("baseline", 8), row("galerna", 64))))
                .isTrue();
        assertThat(BaselineRun.isNowhereWorse(List.of(row("galerna", 64)))).isFalse();
    }
}
