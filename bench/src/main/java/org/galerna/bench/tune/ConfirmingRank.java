package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.DecisionTable;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;

/**
 * One rank of a job that measures again what a table has in place of the standard algorithms, and takes out of the table
 * what does not win again. Virtual machines differ: in where their arrays lie, and in what their compilers have seen. So
 * do the minutes in which they run. What is faster is so in another one, too.
 */
public final class ConfirmingRank {
    private final Rounds rounds;
    private final DecisionTable table;
    private final List<Finding> findings = new ArrayList<>();

    private ConfirmingRank(Rounds rounds, DecisionTable table) {
        this.rounds = rounds;
        this.table = table;
    }

    /**
     * Runs one rank; rank 0 says what it finds and writes the table anew.
     *
     * @param arguments as {@link Plan#toArguments} gives them, with a table that {@link TuningRank} has written
     */
    public static void main(String[] arguments) throws IOException {
        Plan plan = Plan.parse(arguments);
        try (Device device = Rounds.open()) {
            Rounds rounds = new Rounds(device, plan);
            ConfirmingRank rank = new ConfirmingRank(rounds, rounds.shareTable());
            rank.rounds.run(rank::confirm);
            if (device.rank() == 0) {
                Files.write(plan.table(), new TunedTable(rounds.deviceInTables()).lines(rank.findings));
            }
        }
    }

    private void confirm(Team team, Operation operation, long bytes) {
        String standard = new Collectives(team, CollectiveOptions.standard()).algorithm(operation, bytes, true);
        String tuned = new Collectives(team, new CollectiveOptions(Map.of(), table)).algorithm(operation, bytes, true);
        if (tuned.equals(standard)) {
            findings.add(Finding.unmeasured(operation, team.size(), bytes, standard));
            return;
        }
        Finding again = rounds.find(team, operation, bytes, List.of(standard, tuned));
        findings.add(again);
        if (team.rank() == 0) {
            System.out.println(again);
        }
    }
}
