package org.galerna.bench.suite;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.galerna.bench.report.Result;

/**
 * What a collective should take on many ranks, by what it took on {@value #BASE} in the same run: a step in the tables
 * beside the measured ones.
 *
 * <p>Hockney's model with the counts of Thakur, Rabenseifner and Gropp ("Optimization of collective communication operations
 * in MPICH", 2005): a part that does not depend on the size, which grows with the rounds of a tree, log₂ p, and a part that
 * grows with the bytes. The first is the time of the smallest size, the second the rest. Ranks share the cores, so that the
 * first is multiplied by their number once more, and the second counts the bytes of all ranks together: p - 1 vectors or
 * blocks, or p (p - 1) blocks where each rank receives one of every other. Caches of finite size are not in it.
 */
final class CostModel {
    /** As it is called in tables. */
    static final String NAME = "cost model";

    /** Ranks whose times are known. */
    static final int BASE = 4;

    private CostModel() {}

    /**
     * The model's value beside a measured one; nothing if the benchmark has no model, or the base was not measured.
     *
     * @param measured on more ranks than the base
     * @param earlier results of the same run
     */
    static Optional<Result> beside(Benchmark benchmark, Result measured, List<Result> earlier) {
        if (!benchmark.isCollective() || measured.ranks() <= BASE) {
            return Optional.empty();
        }
        TreeMap<Long, Result> bases = new TreeMap<>(Comparator.naturalOrder());
        earlier.stream()
                .filter(each -> each.ranks() == BASE
                        && each.benchmark().equals(measured.benchmark())
                        && each.name().equals(measured.name()))
                .forEach(each -> bases.put(each.bytes(), each));
        Result base = bases.get(measured.bytes());
        return base == null
                ? Optional.empty()
                : Optional.of(extrapolated(
                        benchmark, measured.ranks(), base, bases.firstEntry().getValue()));
    }

    private static Result extrapolated(Benchmark benchmark, int ranks, Result base, Result smallest) {
        ToDoubleFunction<ToDoubleFunction<Result>> value = part -> {
            double fixed = Math.min(part.applyAsDouble(smallest), part.applyAsDouble(base));
            double byBytes = part.applyAsDouble(base) - fixed;
            return fixed * steps(ranks) / steps(BASE) + byBytes * volume(benchmark, ranks) / volume(benchmark, BASE);
        };
        return new Result(
                NAME,
                "",
                base.benchmark(),
                ranks,
                base.bytes(),
                base.window(),
                base.unit(),
                value.applyAsDouble(Result::best),
                value.applyAsDouble(Result::median),
                value.applyAsDouble(Result::lowerBound),
                value.applyAsDouble(Result::upperBound),
                base.repetitions(),
                new TreeMap<>(),
                List.of());
    }

    /** Rounds of a tree, in each of which all ranks need a core. */
    private static double steps(int ranks) {
        return ranks * Math.log(ranks);
    }

    /** Blocks or vectors that are moved or combined. */
    private static double volume(Benchmark benchmark, int ranks) {
        return benchmark == Benchmark.ALLGATHER || benchmark == Benchmark.ALLTOALL
                ? (double) ranks * (ranks - 1)
                : ranks - 1.0;
    }
}
