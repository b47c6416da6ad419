package org.galerna.bench.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.galerna.collectives.algorithm.Operation;

/**
 * Times of collectives that others have measured and published, in a file: on each line an operation, an algorithm as it is called
 * here, the bytes of a block, and for each number of ranks a time in microseconds, as in {@code allreduce ring 1024 64=110.8
 * 128=303.7}. Where nobody knows the algorithm it is {@value #BEST}: the fastest one that is simulated. A line that begins with
 * {@code #} says where they come from.
 */
public final class PublishedTimes {
    /** What a simulation may be off. */
    public static final double NEAR = 1.5;

    private static final String BEST = "best";

    private final List<Time> times;

    private PublishedTimes(List<Time> times) {
        this.times = times;
    }

    /**
     * A time.
     *
     * @param bytes of a block: what one rank gives to, or gets from, another one
     * @param seconds as it was published
     */
    public record Time(Operation operation, String algorithm, int ranks, long bytes, double seconds) {
        /** The size in the measure of the table of decisions. */
        long size() {
            return operation == Operation.ALLGATHER || operation == Operation.ALLGATHERV ? bytes * ranks : bytes;
        }
    }

    /**
     * A time beside the simulated one.
     *
     * @param seconds simulated
     */
    public record Compared(Time time, double seconds) {
        /** Simulated by published. */
        public double ratio() {
            return seconds / time.seconds();
        }

        /** How far off it is, whether too long or too short; at least 1. */
        public double factor() {
            return Math.max(ratio(), 1 / ratio());
        }
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if a line is not as it should be; the message names it
     */
    public static PublishedTimes read(Path file) throws IOException {
        List<Time> times = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                try {
                    times.addAll(parse(line.strip().split("\\s+")));
                } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
                    throw new IllegalArgumentException(
                            file + ": \"" + line
                                    + "\" is not an operation, an algorithm, bytes, and RANKS=MICROSECONDS",
                            wrong);
                }
            }
        }
        return new PublishedTimes(List.copyOf(times));
    }

    private static List<Time> parse(String[] words) {
        Operation operation = Operation.labelled(words[0]);
        long bytes = Long.parseLong(words[2]);
        return Arrays.stream(words, 3, words.length)
                .map(word -> word.split("="))
                .map(pair -> new Time(
                        operation, words[1], Integer.parseInt(pair[0]), bytes, Double.parseDouble(pair[1]) / 1e6))
                .toList();
    }

    /** Those between so many ranks. */
    public PublishedTimes between(int least, int most) {
        return new PublishedTimes(times.stream()
                .filter(time -> time.ranks() >= least && time.ranks() <= most)
                .toList());
    }

    /** All of them beside what is simulated on a machine; without those that need too many messages. */
    public List<Compared> compare(Machine machine) {
        Study study = new Study(machine);
        List<Compared> compared = new ArrayList<>();
        for (Time time : times) {
            Optional<Study.Row> row = time.algorithm().equals(BEST)
                    ? study.best(time.operation(), time.ranks(), time.size())
                    : study.row(time.operation(), time.algorithm(), time.ranks(), time.size());
            row.filter(each -> each.outcome().isPresent())
                    .ifPresent(each -> compared.add(new Compared(time, each.seconds())));
        }
        return compared;
    }

    /** Share of times that are simulated to within {@link #NEAR}. */
    public static double near(List<Compared> compared) {
        return (double) compared.stream().filter(each -> each.factor() <= NEAR).count() / compared.size();
    }

    /** The factor by which half of the simulated times are off at most. */
    public static double median(List<Compared> compared) {
        double[] factors =
                compared.stream().mapToDouble(Compared::factor).sorted().toArray();
        return factors[factors.length / 2];
    }

    /** One line for each time, then what all of them say together, and those of each number of ranks. */
    public static String text(List<Compared> compared) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-14s %-20s %9s %7s %14s %14s %6s%n",
                "operation",
                "algorithm",
                "bytes",
                "ranks",
                "published µs",
                "simulated µs",
                "ratio"));
        for (Compared each : compared) {
            Time time = each.time();
            text.append(String.format(
                    Locale.ROOT,
                    "%-14s %-20s %9d %7d %14s %14s %6.2f%n",
                    time.operation().label(),
                    time.algorithm(),
                    time.bytes(),
                    time.ranks(),
                    ModelText.number(time.seconds() * 1e6),
                    ModelText.number(each.seconds() * 1e6),
                    each.ratio()));
        }
        compared.stream()
                .map(each -> each.time().ranks())
                .distinct()
                .sorted()
                .forEach(ranks -> summarize(
                        text,
                        ranks + " ranks",
                        compared.stream()
                                .filter(each -> each.time().ranks() == ranks)
                                .toList()));
        summarize(text, "all", compared);
        return text.toString();
    }

    private static void summarize(StringBuilder text, String which, List<Compared> compared) {
        if (!compared.isEmpty()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s: half are off by a factor of at most %.2f; %.0f %% of %d within %.1f%n",
                    which,
                    median(compared),
                    100 * near(compared),
                    compared.size(),
                    NEAR));
        }
    }
}
