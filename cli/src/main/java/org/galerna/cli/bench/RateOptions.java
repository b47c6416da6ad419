package org.galerna.cli.bench;

import org.galerna.cli.usage.UsageException;
import picocli.CommandLine.Option;

/** Who sends in the benchmark of message rates. */
final class RateOptions {
    private static final int MOST = 64;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "number of pairs of ranks; one of each pair sends to the other; default: ${DEFAULT-VALUE}")
    private int pairs = 1;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "threads of each rank that send at once (MPI_THREAD_MULTIPLE), for --level mpi; default: "
                    + "${DEFAULT-VALUE}")
    private int threads = 1;

    int pairs() {
        return checked("--pairs", pairs);
    }

    int threads() {
        return checked("--threads", threads);
    }

    private static int checked(String option, int value) {
        if (value < 1 || value > MOST) {
            throw new UsageException(option + " takes a number from 1 to " + MOST + ", not " + value);
        }
        return value;
    }
}
