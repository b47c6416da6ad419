package org.galerna.launch.report;

/**
 * A rank whose process was killed.
 *
 * @param rank the rank
 * @param signal number of the signal
 */
public record KilledRank(int rank, int signal) {
    /** Exit status of the process. */
    public int status() {
        return ExitStatus.SIGNAL + signal;
    }
}
