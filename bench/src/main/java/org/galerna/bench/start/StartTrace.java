package org.galerna.bench.start;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What one run of the program of the first seconds has printed.
 *
 * @param initialized milliseconds from the command to the end of {@code Init}; NaN if it did not say
 * @param first milliseconds from the command until rank 0 had a message of each other rank; NaN if it did not say
 * @param total milliseconds from the command to its end
 * @param batches in their order
 * @param compilers milliseconds that the compilers of the process of rank 0 have worked; NaN for programs that are not compiled
 *     while they run
 * @param jvm milliseconds from the command to the start of that process's virtual machine; NaN if there is none
 */
record StartTrace(double initialized, double first, double total, List<Batch> batches, double compilers, double jvm) {
    /**
     * A batch of operations.
     *
     * @param micros from {@code Init} to its end
     * @param kind of the operations
     * @param nanos that one of them took
     */
    record Batch(long micros, String kind, double nanos) {}

    StartTrace {
        batches = List.copyOf(batches);
    }

    /**
     * Reads what a run has printed.
     *
     * @param launched when the command was given, in milliseconds since 1970
     * @param ended when it had ended
     */
    static StartTrace parse(List<String> lines, long launched, long ended) {
        double initialized = Double.NaN;
        double first = Double.NaN;
        double compilers = Double.NaN;
        double jvm = Double.NaN;
        List<Batch> batches = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.strip().split(" ", -1);
            switch (words[0]) {
                case "init" -> initialized = Long.parseLong(words[1]) - launched;
                case "first" -> first = Long.parseLong(words[1]) - launched;
                case "compilers" -> compilers = Long.parseLong(words[1]);
                case "jvm" -> jvm = Long.parseLong(words[1]) - launched;
                case "batch" ->
                    batches.add(new Batch(Long.parseLong(words[1]), words[2], Double.parseDouble(words[3])));
                default -> {
                    // what a launcher says beside
                }
            }
        }
        return new StartTrace(initialized, first, ended - launched, batches, compilers, jvm);
    }

    /** Nanoseconds of an operation in the batches that ended in a time after {@code Init}, in microseconds; the median. */
    OptionalDouble nanos(long from, long to) {
        return median(batches, batch -> batch.micros() >= from && batch.micros() < to);
    }

    /** The steady state of a kind: the median of its last batches, as many as it has in a round. */
    OptionalDouble steady(String kind, int round) {
        List<Batch> own =
                batches.stream().filter(batch -> batch.kind().equals(kind)).toList();
        return median(own.subList(Math.max(0, own.size() - round), own.size()), batch -> true);
    }

    /**
     * How many times its own steady state an operation took in the first time after {@code Init}, in microseconds: the median of
     * all batches.
     */
    OptionalDouble slowdown(long to, int round) {
        var steady = batches.stream()
                .map(Batch::kind)
                .distinct()
                .collect(Collectors.toMap(
                        kind -> kind, kind -> steady(kind, round).orElse(Double.NaN)));
        return median(
                batches.stream()
                        .map(batch -> new Batch(
                                batch.micros(),
                                batch.kind(),
                                batch.nanos() / steady.getOrDefault(batch.kind(), Double.NaN)))
                        .toList(),
                batch -> batch.micros() < to);
    }

    /** Seconds from {@code Init} to the end of the last batch; NaN if there is none. */
    double seconds() {
        return batches.isEmpty() ? Double.NaN : batches.getLast().micros() / 1e6;
    }

    /** Kinds of operations, in the order in which they come first. */
    List<String> kinds() {
        return batches.stream().map(Batch::kind).distinct().toList();
    }

    private static OptionalDouble median(List<Batch> batches, Predicate<Batch> which) {
        double[] sorted = batches.stream()
                .filter(which)
                .mapToDouble(Batch::nanos)
                .sorted()
                .toArray();
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[sorted.length / 2]);
    }
}
