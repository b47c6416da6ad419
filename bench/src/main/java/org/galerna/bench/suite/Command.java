package org.galerna.bench.suite;

import java.util.Arrays;

/**
 * What every rank of a {@link Contender} is told to do: a line of the benchmark's name and three numbers.
 *
 * @param benchmark such as {@code "latency"} or {@code "percentiles latency"}; words separated by single spaces
 * @param bytes of a message; of a collective, what OSU's benchmarks call its size
 * @param iterations how often it is repeated inside the one measurement
 * @param window messages in flight; 0 where there is none
 */
public record Command(String benchmark, long bytes, int iterations, int window) {
    /** The line that ends a contender. */
    public static final String QUIT = "quit";

    /**
     * The benchmark that is none: contenders that are compiled while they run answer when they have been, without a barrier;
     * others do not know it.
     */
    static final String COMPILED = "compiled";

    private static final int NUMBERS = 3;

    /** The command as a line without its end. */
    public String toLine() {
        return benchmark + ' ' + bytes + ' ' + iterations + ' ' + window;
    }

    /**
     * The reverse of {@link #toLine}.
     *
     * @throws IllegalArgumentException if the line is no command
     */
    public static Command parse(String line) {
        String[] words = line.split(" ", -1);
        int name = words.length - NUMBERS;
        if (name < 1) {
            throw new IllegalArgumentException("not a command of a benchmark: \"" + line + "\"");
        }
        try {
            return new Command(
                    String.join(" ", Arrays.asList(words).subList(0, name)),
                    Long.parseLong(words[name]),
                    Integer.parseInt(words[name + 1]),
                    Integer.parseInt(words[name + 2]));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("not a command of a benchmark: \"" + line + "\"", notANumber);
        }
    }
}
