package org.galerna.bench.start;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one system reached in its first seconds; medians of the runs. What was not measured is missing, or NaN.
 *
 * @param system its name
 * @param starts by the number of ranks
 * @param latency half of a round trip of a byte, in microseconds
 * @param rate messages of 8 bytes in windows of 64, in millions a second
 * @param mixed the program that does many things
 * @param curve half of a round trip by the time since {@code Init}, of one loop of a byte
 * @param compilers what the compilers did in the mixed program; null for systems in C
 */
public record StartFigures(
        String system,
        List<Start> starts,
        Map<String, Double> latency,
        Map<String, Double> rate,
        Mixed mixed,
        List<Point> curve,
        @Nullable Compilers compilers) {
    /** Copies the collections. */
    public StartFigures {
        starts = List.copyOf(starts);
        curve = List.copyOf(curve);
    }

    /**
     * How long it takes to come up.
     *
     * @param ranks how many
     * @param firstMillis from the command until rank 0 had a message of each other rank
     * @param totalMillis from the command to its end
     */
    public record Start(int ranks, double firstMillis, double totalMillis) {}

    /**
     * A place on a curve.
     *
     * @param seconds since {@code Init}
     * @param value there
     */
    public record Point(double seconds, double value) {}

    /**
     * The mixed program.
     *
     * @param inTwoSeconds how many times its steady state an operation took in the first two seconds; median of the batches
     * @param inSixSeconds the same in the first six
     * @param totalSeconds from {@code Init} to its end
     * @param steadyMicros an operation of each kind in its last round
     */
    public record Mixed(
            double inTwoSeconds, double inSixSeconds, double totalSeconds, Map<String, Double> steadyMicros) {}

    /**
     * What compilers did, in one process and in a run of its own.
     *
     * @param millis that they worked in the runs that were measured
     * @param compiled methods
     * @param discarded methods made not entrant because what they had assumed did not hold, by the reason
     * @param discardedLater those of them after the first second
     */
    public record Compilers(double millis, int compiled, Map<String, Integer> discarded, int discardedLater) {}
}
