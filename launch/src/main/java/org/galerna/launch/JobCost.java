package org.galerna.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What a job takes of this machine before its program does anything: a number of ranks that nobody can have meant is
 * refused while that costs nothing. The figures are those of a program that does nothing but meet the other ranks.
 *
 * @param bytes of memory
 * @param seconds until the program begins
 */
public record JobCost(long bytes, double seconds) {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    /** More than the longest time after which one would still expect a job to begin. */
    private static final double MOST_SECONDS = 120;

    private static final long KIB_OF_RANK = 1400;
    private static final double SECONDS_OF_RANK = 0.01;
    private static final long KIB_OF_PROCESS = 60 << 10;
    private static final double SECONDS_OF_PROCESS = 0.4;

    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";

    /** Of ranks that are threads of one JVM. */
    public static JobCost ofThreads(int ranks) {
        return new JobCost(ranks * KIB_OF_RANK * KIB, ranks * SECONDS_OF_RANK);
    }

    /** Of ranks in processes on a machine with some processors. */
    public static JobCost ofProcesses(int ranks, int perProcess, int processors) {
        int processes = Math.ceilDiv(ranks, perProcess);
        JobCost inside = perProcess == 1 ? new JobCost(0, 0) : ofThreads(ranks);
        return new JobCost(
                processes * KIB_OF_PROCESS * KIB + inside.bytes,
                processes * SECONDS_OF_PROCESS / processors + inside.seconds);
    }

    /**
     * Why such a job ought not to be started, in one sentence; empty if nothing speaks against it.
     *
     * @param ranks their number, as the user has given it
     * @param available bytes of memory that are free, if known
     */
    public Optional<String> complaint(String ranks, OptionalLong available) {
        return isTooLarge(available) || seconds > MOST_SECONDS
                ? Optional.of(needs(ranks, available))
                : Optional.empty();
    }

    /** As {@link #complaint}, of a job that has no room in the memory of this host, however long it may take. */
    public static Optional<String> noRoom(int ranks, boolean processes) {
        JobCost cost = processes ? ofProcesses(ranks, 1, Runtime.getRuntime().availableProcessors()) : ofThreads(ranks);
        OptionalLong available = availableMemory();
        return cost.isTooLarge(available) ? Optional.of(cost.needs(ranks + " ranks", available)) : Optional.empty();
    }

    private boolean isTooLarge(OptionalLong available) {
        return available.isPresent() && bytes > available.getAsLong();
    }

    private String needs(String ranks, OptionalLong available) {
        return String.format(
                Locale.ROOT,
                "%s would take about %s of memory%s and %s to start",
                ranks,
                size(bytes),
                available.isPresent() ? " (" + size(available.getAsLong()) + " are free)" : "",
                seconds < MOST_SECONDS ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " minutes");
    }

    private static String size(long bytes) {
        return bytes < 10L << 30 ? bytes / MIB + " MiB" : (bytes >> 30) + " GiB";
    }

    /** The memory that this machine can still give, in bytes; empty where that is not known. */
    public static OptionalLong availableMemory() {
        try (Stream<String> lines = Files.lines(MEMORY)) {
            return lines.filter(line -> line.startsWith(AVAILABLE))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst();
        } catch (IOException | NumberFormatException elsewhere) {
            return OptionalLong.empty();
        }
    }
}
