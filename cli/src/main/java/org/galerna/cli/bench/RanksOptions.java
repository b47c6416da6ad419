package org.galerna.cli.bench;

import java.util.List;
import org.galerna.cli.usage.UsageException;
import picocli.CommandLine.Option;

/** Numbers of ranks. */
final class RanksOptions {
    private static final int LEAST = 2;
    private static final int MOST = 64;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            description = "numbers of ranks, separated by commas; default: 2,4")
    private List<Integer> ranks = List.of(2, 4);

    List<Integer> ranks() {
        for (int number : ranks) {
            if (number < LEAST || number > MOST) {
                throw new UsageException("--ranks takes numbers from " + LEAST + " to " + MOST + ", not " + number);
            }
        }
        return ranks;
    }
}
