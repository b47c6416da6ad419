package org.galerna.bench.evaluation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Programs that run in turns; the best of the rounds counts. */
final class Turns {
    /**
     * One of them.
     *
     * @param speed runs it; empty if it has failed
     */
    record Run(String system, int cores, Supplier<OptionalDouble> speed) {}

    private Turns() {}

    /** Runs all, round by round; those that have failed every time are missing. */
    static List<Speed> best(String program, String unit, List<Run> runs, int rounds, Consumer<String> progress) {
        double[] best = new double[runs.size()];
        Arrays.fill(best, Double.NaN);
        for (int round = 1; round <= rounds; round++) {
            for (int index = 0; index < best.length; index++) {
                Run run = runs.get(index);
                progress.accept(program + ", " + run.system + ", " + EvaluationPage.cores(run.cores) + ": " + round
                        + " of " + rounds);
                double now = run.speed.get().orElse(Double.NaN);
                if (!(best[index] >= now) && !Double.isNaN(now)) {
                    best[index] = now;
                }
            }
        }
        List<Speed> speeds = new ArrayList<>();
        for (int index = 0; index < best.length; index++) {
            if (best[index] > 0) {
                Run run = runs.get(index);
                speeds.add(new Speed(program, run.system, run.cores, best[index], unit));
            }
        }
        return speeds;
    }
}
