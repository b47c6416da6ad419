package org.galerna.launch.report;

import java.time.Duration;

/**
 * What has become of a job.
 *
 * @param duration from the start of the job to its end
 */
public record JobResult(Outcome outcome, Duration duration) {
    /** Exit status of the job, 0 if all is well. */
    public int status() {
        return outcome.status();
    }

    /** The reason for the end, for people to read; empty if all is well, else some lines that end in a line feed. */
    public String report() {
        return ReportText.of(outcome);
    }
}
