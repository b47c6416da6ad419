package org.galerna.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The values of repetitions, and what they say together. At least one value must have been added before it is asked. */
public final class Samples {
    private static final double OUTSIDE_ON_EACH_SIDE = 0.025;

    private final List<Double> values = new ArrayList<>();

    /** None so far. */
    public Samples() {}

    /** Adds one. */
    public void add(double value) {
        values.add(value);
    }

    /** All of them, in the order in which they were added. */
    public List<Double> values() {
        return List.copyOf(values);
    }

    /** How many there are. */
    public int count() {
        return values.size();
    }

    /** The smallest. */
    public double least() {
        return Collections.min(values);
    }

    /** The largest. */
    public double greatest() {
        return Collections.max(values);
    }

    /** The one in the middle. */
    public double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Lower end of the median's 95 % confidence interval. */
    public double lowerBound() {
        return values.stream().sorted().toList().get(excluded(values.size()));
    }

    /** Upper end of the median's 95 % confidence interval. */
    public double upperBound() {
        return values.stream().sorted().toList().get(values.size() - 1 - excluded(values.size()));
    }

    /**
     * How many of the smallest and of the largest values lie outside of the interval. Whatever the distribution, the
     * number of values below the median is that of heads in as many throws of a coin; so many are left out on each side
     * as leave at least 95 % of the throws inside. Fewer than six values never do: then none is left out.
     */
    static int excluded(int count) {
        // in logarithms, for the probability of a single outcome is too small for a double from 1075 values on
        double logarithm = -count * Math.log(2);
        double probability = 0;
        for (int below = 0; below < count; below++) {
            probability += Math.exp(logarithm);
            if (probability > OUTSIDE_ON_EACH_SIDE) {
                return Math.max(0, below - 1);
            }
            logarithm += Math.log((double) (count - below) / (below + 1));
        }
        return 0;
    }
}
