package org.galerna.bench.report;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one system reached in one benchmark at one size.
 *
 * @param system who was measured, such as "galerna", "openmpi", "tcp"
 * @param level where it was measured: "mpi", "device", "link"; empty for systems that have one level
 * @param benchmark such as "latency", "rate", "allreduce"
 * @param ranks how many took part
 * @param bytes of a message; of a collective, what OSU's benchmarks call its size
 * @param window messages in flight; 0 where there is none
 * @param best the best repetition
 * @param median the repetition in the middle
 * @param lowerBound lower end of the median's 95 % confidence interval
 * @param upperBound upper end of the median's 95 % confidence interval
 * @param repetitions how many were made
 * @param percentiles by percent (50, 95, 99, 99.9, 100) of single operations; empty where they were not recorded
 * @param rounds what each repetition found, in the order in which the systems of a run took turns; empty where that was not
 *     kept
 * @param baseline of the build that measures, how many times as much it found as the older build that it is compared with;
 *     null where there is none
 */
public record Result(
        String system,
        String level,
        String benchmark,
        int ranks,
        long bytes,
        int window,
        Unit unit,
        double best,
        double median,
        double lowerBound,
        double upperBound,
        int repetitions,
        SortedMap<Double, Double> percentiles,
        List<Double> rounds,
        @Nullable Ratio baseline) {
    /** Copies percentiles and rounds. Files of earlier versions have no rounds: they are null here, and then empty. */
    public Result {
        rounds = rounds == null ? List.of() : List.copyOf(rounds);
        percentiles = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(percentiles)));
    }

    /** A result that is compared with no older build. */
    public Result(
            String system,
            String level,
            String benchmark,
            int ranks,
            long bytes,
            int window,
            Unit unit,
            double best,
            double median,
            double lowerBound,
            double upperBound,
            int repetitions,
            SortedMap<Double, Double> percentiles,
            List<Double> rounds) {
        this(
                system,
                level,
                benchmark,
                ranks,
                bytes,
                window,
                unit,
                best,
                median,
                lowerBound,
                upperBound,
                repetitions,
                percentiles,
                rounds,
                null);
    }

    /**
     * A result of repetitions.
     *
     * @param samples what they found, in the order of the rounds; at least one
     */
    public static Result of(
            String system,
            String level,
            String benchmark,
            int ranks,
            long bytes,
            int window,
            Unit unit,
            Samples samples,
            SortedMap<Double, Double> percentiles) {
        return new Result(
                system,
                level,
                benchmark,
                ranks,
                bytes,
                window,
                unit,
                unit.moreIsBetter() ? samples.greatest() : samples.least(),
                samples.median(),
                samples.lowerBound(),
                samples.upperBound(),
                samples.count(),
                percentiles,
                samples.values());
    }

    /** The same result with its ratio to that of an older build. */
    public Result comparedWith(Ratio ratio) {
        return new Result(
                system,
                level,
                benchmark,
                ranks,
                bytes,
                window,
                unit,
                best,
                median,
                lowerBound,
                upperBound,
                repetitions,
                percentiles,
                rounds,
                ratio);
    }

    /** How it stands to the older build that it is compared with; empty where there is none. */
    public Optional<Standing> standing() {
        return Optional.ofNullable(baseline).map(ratio -> Standing.of(ratio, unit));
    }

    /** System and level in one, as a reader sees it: "galerna mpi", "openmpi". */
    public String name() {
        return level.isEmpty() ? system : system + ' ' + level;
    }
}
