package org.galerna.cli;

import picocli.CommandLine.Option;

/** Who sends in the benchmark of message rates. */
final class RateOptions {
    private static final int MOST = 64;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "pairs of ranks, one of which sends to the other; default: ${DEFAULT-VALUE}")
    private int pairs = 1;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "threads that send at once in each rank (MPI_THREAD_MULTIPLE), of Galerna's level mpi; "
                    + "default: ${DEFAULT-VALUE}")
    private int threads = 1;

    int pairs() {
        return checked("--pairs", pairs);
    }

    int threads() {
        return checked("--threads", threads);
    }

    private static int checked(String option, int value) {
        if (value < 1 || value > MOST) {
            throw new UsageException(option + " is a number from 1 to " + MOST + ", not " + value);
        }
        return value;
    }
}
