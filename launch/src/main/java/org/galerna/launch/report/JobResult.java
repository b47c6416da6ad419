package org.galerna.launch.report;

import java.time.Duration;
import java.util.List;
import org.galerna.link.MissedCollective;

/**
 * What has become of a job.
 *
 * @param unfinished ranks that have joined the others and have ended in good order but for {@code MPI.Finalize}, ascending
 * @param duration from the start of the job to its end
 * @param hosts the host of each rank; empty if all were on one
 */
public record JobResult(Outcome outcome, List<Integer> unfinished, Duration duration, List<String> hosts) {
    /** A result with the lists copied. */
    public JobResult {
        unfinished = List.copyOf(unfinished);
        hosts = List.copyOf(hosts);
    }

    /** The result of a job whose ranks were all on one host. */
    public JobResult(Outcome outcome, List<Integer> unfinished, Duration duration) {
        this(outcome, unfinished, duration, List.of());
    }

    /** Exit status of the job, 0 if all is well. */
    public int status() {
        return outcome.status();
    }

    /**
     * The reason for the end, and ranks that have not finished as they should, for people to read; empty if all is well,
     * else some lines that end in a line feed.
     */
    public String report() {
        ReportText text = new ReportText(hosts);
        MissedCollective missed = outcome.missed();
        List<Integer> others = unfinished.stream()
                .filter(rank -> missed == null || missed.leaver() != rank)
                .toList();
        return text.of(outcome) + text.ofUnfinished(others);
    }
}
