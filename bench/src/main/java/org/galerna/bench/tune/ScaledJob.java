package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.galerna.bench.report.JsonFile;

/**
 * What a job of some ranks has taken.
 *
 * @param ranks of the job
 * @param wireUpSeconds from the first rank that has begun to meet the others to the last one that has met them
 * @param residentKib memory of a rank's share of its process when they had met, in KiB
 * @param residentAfterKib the same after all collectives
 * @param heapKib of this the objects in use
 * @param calls the collectives
 */
public record ScaledJob(
        int ranks,
        double wireUpSeconds,
        double residentKib,
        double residentAfterKib,
        double heapKib,
        List<Call> calls) {
    /** Copies. */
    public ScaledJob {
        calls = List.copyOf(calls);
        if (ranks < 1) {
            throw new IllegalArgumentException("a job of " + ranks + " ranks");
        }
    }

    /**
     * Reads what a job has written.
     *
     * @throws IOException if the file cannot be read
     */
    public static ScaledJob read(Path file) throws IOException {
        return JsonFile.read(file, ScaledJob.class, "what a job has taken");
    }

    /** A line for the job, and one for each collective below. */
    public String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%5d ranks: wire-up %.3f s; for each rank %.0f KiB after it, %.0f KiB at the end, of which objects %.0f KiB%n",
                ranks,
                wireUpSeconds,
                residentKib,
                residentAfterKib,
                heapKib));
        calls.forEach(call ->
                text.append(String.format(Locale.ROOT, "      %-14s %12.1f µs%n", call.operation, call.microseconds)));
        return text.toString();
    }

    /**
     * A collective.
     *
     * @param operation its name
     * @param bytes of a block, or of a vector
     * @param microseconds of a call on the slowest rank
     */
    public record Call(String operation, long bytes, double microseconds) {}
}
