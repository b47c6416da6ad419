package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * turns. Rank 0 leaves a table of those decisions that were slower, so that a further job can measure them again.
 */
public final class ComparingRank {
    private final Rounds rounds;
    private final DecisionTable table;
    private final List<Finding> findings = new ArrayList<>();
    private int faster;
    private int level;
    private int slower;

    private ComparingRank(Rounds rounds, DecisionTable table) {
        this.rounds = rounds;
        this.table = table;
    }

    /**
     * Runs one rank; rank 0 says what it finds.
     *
     * @param arguments as {@link Plan#toArguments} gives them, with the table to compare; and the file for a table of what
     *     was slower, which becomes an empty one if nothing was
     */
    public static void main(String[] arguments) throws IOException {
        Plan plan = Plan.parse(arguments);
        try (Device device = Rounds.open()) {
            Rounds rounds = new Rounds(device, plan);
            ComparingRank rank = new ComparingRank(rounds, rounds.shareTable());
            rank.rounds.run(rank::compare);
            if (device.rank() == 0) { // which has a part in everything
                System.out.println(rank.summary());
                Files.write(Path.of(arguments[arguments.length - 1]), rank.tableOfSlower(rounds.deviceInTables()));
            }
        }
    }

    private void compare(Team team, Operation operation, long bytes) {
        Collectives standard = new Collectives(team, CollectiveOptions.standard());
        Collectives tuned = new Collectives(team, new CollectiveOptions(Map.of(), table));
        String before = standard.algorithm(operation, bytes, true);
        String now = tuned.algorithm(operation, bytes, true);
        String toCompareAgain = before;
        if (!now.equals(before)) {
            double[][] seconds = rounds.measure(team, operation, bytes, List.of(standard, tuned));
            Comparison comparison = new Comparison(new Candidate(before, seconds[0]), new Candidate(now, seconds[1]));
            switch (comparison.verdict()) {
                case FASTER -> faster++;
                case LEVEL -> level++;
                case SLOWER -> {
                    slower++;
                    toCompareAgain = now;
                }
            }
            if (team.rank() == 0) {
                System.out.printf(
                        Locale.ROOT, "%-14s %3d ranks %9d B: %s%n", operation, team.size(), bytes, comparison);
            }
        }
        findings.add(Finding.unmeasured(operation, team.size(), bytes, toCompareAgain));
    }

    private String summary() {
        return "%d of %d choices compared: %d faster, %d level, %d slower"
                .formatted(faster + level + slower, findings.size(), faster, level, slower);
    }

    private List<String> tableOfSlower(String device) {
        return slower == 0 ? List.of() : new TunedTable(device).lines(findings);
    }
}
