package org.galerna.bench.tune;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.galerna.collectives.algorithm.Operation;

/**
 * What to measure, and for how long.
 *
 * @param operations the collectives
 * @param sizes in bytes, as the table counts them
 * @param repetitions of each algorithm, operation and size
 * @param milliseconds that a repetition takes about
 * @param table where the table goes
 */
public record Plan(List<Operation> operations, List<Long> sizes, int repetitions, double milliseconds, Path table) {
    /** Arrays of a rank are not longer; combinations that need more are left out. */
    private static final long MOST_MEMORY = 256L << 20;

    /** Calls that are timed first, to know how many last for a repetition. */
    private static final int FIRST_CALLS = 20;

    /**
     * How long a way is warmed up at least and at most, in repetitions, and the calls that suffice in between: until what
     * it takes is compiled, also where no other has been there.
     */
    private static final int LEAST_WARM_UP = 50;

    private static final int MOST_WARM_UP = 150;
    private static final long CALLS_OF_WARM_UP = 30_000;

    /** Copies. */
    public Plan {
        operations = List.copyOf(operations);
        sizes = List.copyOf(sizes);
    }

    /** The same with another table. */
    public Plan withTable(Path other) {
        return new Plan(operations, sizes, repetitions, milliseconds, other);
    }

    /** The arguments of {@link TuningRank}. */
    public List<String> toArguments() {
        return List.of(
                operations.stream().map(Operation::label).collect(Collectors.joining(",")),
                sizes.stream().map(String::valueOf).collect(Collectors.joining(",")),
                Integer.toString(repetitions),
                Double.toString(milliseconds),
                table.toString());
    }

    static Plan parse(String[] arguments) {
        return new Plan(
                Arrays.stream(arguments[0].split(",", -1))
                        .map(Operation::labelled)
                        .toList(),
                Arrays.stream(arguments[1].split(",", -1)).map(Long::valueOf).toList(),
                Integer.parseInt(arguments[2]),
                Double.parseDouble(arguments[3]),
                Path.of(arguments[4]));
    }

    /** Sizes of an operation: one where the table knows none. */
    public static List<Long> sizesOf(Operation operation, List<Long> sizes) {
        return switch (operation) {
            case BARRIER, GATHERV, SCATTERV, ALLTOALLV -> List.of(0L);
            default -> sizes;
        };
    }

    /** Sizes of an operation in a simulation, which also knows the blocks of those whose ranks do not agree on a size. */
    public static List<Long> simulatedSizesOf(Operation operation, List<Long> sizes) {
        return operation == Operation.BARRIER ? List.of(0L) : sizes;
    }

    /** Numbers of ranks to measure in a job: powers of two, and all. */
    List<Integer> ranks(int size) {
        List<Integer> ranks = new ArrayList<>();
        for (int some = 2; some < size; some *= 2) {
            ranks.add(some);
        }
        ranks.add(size);
        return ranks;
    }

    int firstCalls() {
        return FIRST_CALLS;
    }

    boolean isWarm(double seconds, long calls) {
        double repetitionsDone = seconds / secondsPerRepetition();
        return repetitionsDone >= MOST_WARM_UP || (repetitionsDone >= LEAST_WARM_UP && calls >= CALLS_OF_WARM_UP);
    }

    double secondsPerRepetition() {
        return milliseconds / 1000;
    }

    long mostMemory() {
        return MOST_MEMORY;
    }
}
