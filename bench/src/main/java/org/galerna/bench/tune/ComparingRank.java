package org.galerna.bench.tune;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.DecisionTable;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;

/**
 * One rank of a job that compares what a table decides with what the standard table does, wherever they differ: both in
 * turns. Rank 0 ends with status 1 if the table was slower anywhere.
 */
public final class ComparingRank {
    private final Rounds rounds;
    private final DecisionTable table;
    private int equal;
    private int faster;
    private int level;
    private int slower;

    private ComparingRank(Rounds rounds, DecisionTable table) {
        this.rounds = rounds;
        this.table = table;
    }

    /**
     * Runs one rank.
     *
     * @param arguments as {@link Plan#toArguments} gives them, with the table to compare
     */
    public static void main(String[] arguments) throws IOException {
        Plan plan = Plan.parse(arguments);
        int slower = 0;
        try (Device device = Rounds.open()) {
            Rounds rounds = new Rounds(device, plan);
            ComparingRank rank = new ComparingRank(rounds, rounds.shareTable());
            rank.rounds.run(rank::compare);
            if (device.rank() == 0) { // which has a part in everything
                slower = rank.slower;
                System.out.printf(
                        Locale.ROOT,
                        "%d choices: %d are those of the standard table, %d faster, %d level, %d slower%n",
                        rank.equal + rank.faster + rank.level + slower,
                        rank.equal,
                        rank.faster,
                        rank.level,
                        slower);
            }
        }
        if (slower > 0) {
            System.exit(1);
        }
    }

    private void compare(Team team, Operation operation, long bytes) {
        Collectives standard = new Collectives(team, CollectiveOptions.standard());
        Collectives tuned = new Collectives(team, new CollectiveOptions(Map.of(), table));
        String before = standard.algorithm(operation, bytes, true);
        String now = tuned.algorithm(operation, bytes, true);
        if (now.equals(before)) {
            equal++;
            return;
        }
        double[][] seconds = rounds.measure(team, operation, bytes, List.of(standard, tuned));
        Comparison comparison = new Comparison(new Candidate(before, seconds[0]), new Candidate(now, seconds[1]));
        switch (comparison.verdict()) {
            case FASTER -> faster++;
            case LEVEL -> level++;
            case SLOWER -> slower++;
        }
        if (team.rank() == 0) {
            System.out.printf(Locale.ROOT, "%-14s %3d ranks %9d B: %s%n", operation, team.size(), bytes, comparison);
        }
    }
}
