package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;

/**
 * One rank of a job that measures the algorithms of the collectives.
 */
public final class TuningRank {
    private final Rounds rounds;
    private final List<Finding> findings = new ArrayList<>();

    private TuningRank(Rounds rounds) {
        this.rounds = rounds;
    }

    /**
     * Runs one rank; rank 0 says what it finds and writes the table.
     *
     * @param arguments as {@link Plan#toArguments} gives them
     */
    public static void main(String[] arguments) throws IOException {
        Plan plan = Plan.parse(arguments);
        try (Device device = Rounds.open()) {
            TuningRank rank = new TuningRank(new Rounds(device, plan));
            rank.rounds.run(rank::find);
            if (device.rank() == 0) {
                Files.write(plan.table(), new TunedTable(rank.rounds.deviceInTables()).lines(rank.findings));
            }
        }
    }

    private void find(Team team, Operation operation, long bytes) {
        List<String> algorithms = Catalogue.algorithms(operation).stream()
                .filter(algorithm ->
                        algorithm.restrictions().admits(team.shape()) && bytes <= algorithm.largest(team.size()))
                .map(Algorithm::name)
                .toList();
        Finding finding = rounds.find(team, operation, bytes, algorithms);
        findings.add(finding);
        if (team.rank() == 0) {
            System.out.println(finding);
        }
    }
}
