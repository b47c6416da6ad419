package org.galerna.ranks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.report.JobResult;
import org.jspecify.annotations.Nullable;

/**
 * How a job has ended.
 *
 * @param <T> type of the results of the ranks
 */
public final class RanksResult<T extends @Nullable Object> {
    private final JobResult job;
    private final @Nullable Throwable failure;
    private final List<T> values;
    private final List<List<String>> output;
    private final List<List<String>> errorOutput;

    RanksResult(
            JobResult job,
            @Nullable Throwable failure,
            List<T> values,
            List<List<String>> output,
            List<List<String>> errorOutput) {
        this.job = job;
        this.failure = failure;
        this.values = values;
        this.output = output;
        this.errorOutput = errorOutput;
    }

    /** Whether all ranks have come to their ends. */
    public boolean isSuccess() {
        return failure == null;
    }

    /** What is thrown by the methods of {@link Ranks} that throw; empty if all ranks have come to their ends. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** The exit status that {@code galerna run} would have, 0 if all is well. */
    public int status() {
        return job.status();
    }

    /** What {@code galerna run} would say about the end of the job; empty if there is nothing to say. */
    public String report() {
        return job.report();
    }

    /** From the start of the job to its end. */
    public Duration duration() {
        return job.duration();
    }

    /**
     * The results by rank.
     *
     * @throws RanksException if the job has not ended well, likewise {@link RankAssertionError}
     */
    public List<T> values() {
        return orThrow().values;
    }

    /**
     * The lines that a rank has printed to its standard output.
     *
     * @throws IllegalStateException unless the output was {@linkplain Ranks#captured captured}
     */
    public List<String> output(int rank) {
        return lines(output, rank);
    }

    /**
     * The lines that a rank has printed to its standard error output.
     *
     * @throws IllegalStateException unless the output was {@linkplain Ranks#captured captured}
     */
    public List<String> errorOutput(int rank) {
        return lines(errorOutput, rank);
    }

    private static List<String> lines(List<List<String>> of, int rank) {
        if (of.isEmpty()) {
            throw new IllegalStateException(
                    "the output of this job was not captured: call captured() before the job starts");
        }
        return of.get(rank);
    }

    /**
     * This result, of a job that has ended well.
     *
     * @throws RankAssertionError if an assertion has failed in a rank
     * @throws RankFailedException if a rank has thrown another exception
     * @throws RanksException if the job has ended in another way, see there
     */
    public RanksResult<T> orThrow() {
        switch (failure) {
            case null -> {
                return this;
            }
            case Error error -> throw error;
            default -> throw (RuntimeException) failure;
        }
    }

    @Override
    public String toString() {
        return isSuccess() ? "all ranks have ended" : report().strip();
    }
}
