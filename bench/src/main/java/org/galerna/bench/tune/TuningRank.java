package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;

/**
 * One rank of a job that measures the algorithms of the collectives.
 */
public final class TuningRank {
    /** How often what is to replace another has to win again, after everything has been measured once. */
    private static final int CONFIRMATIONS = 2;

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
            for (int confirmation = 0; confirmation < CONFIRMATIONS; confirmation++) {
                rank.rounds.run(rank::confirm);
            }
            if (device.rank() == 0) {
                Files.write(plan.table(), new TunedTable(rank.rounds.deviceInTables()).lines(rank.findings));
            }
        }
    }

    private void find(Team team, Operation operation, long bytes) {
        Finding finding = measure(
                team,
                operation,
                bytes,
                Catalogue.algorithms(operation).stream()
                        .filter(algorithm -> algorithm.restrictions().admits(team.shape())
                                && bytes <= algorithm.largest(team.size()))
                        .map(Algorithm::name)
                        .toList());
        findings.add(finding);
        if (team.rank() == 0) {
            report(finding);
        }
    }

    private Finding measure(Team team, Operation operation, long bytes, List<String> algorithms) {
        List<Collectives> ways = algorithms.stream()
                .map(algorithm ->
                        new Collectives(team, CollectiveOptions.standard().force(operation, algorithm)))
                .toList();
        double[][] seconds = rounds.measure(team, operation, bytes, ways);
        List<Candidate> candidates = new ArrayList<>();
        for (int way = 0; way < seconds.length; way++) {
            candidates.add(new Candidate(algorithms.get(way), seconds[way]));
        }
        String standard = new Collectives(team, CollectiveOptions.standard()).algorithm(operation, bytes, true);
        return new Finding(operation, team.size(), bytes, standard, candidates);
    }

    /**
     * Measures again, in turns, what is to replace an algorithm and what it replaces. Machines have moods of minutes; what
     * wins in each of them is faster.
     */
    private void confirm(Team team, Operation operation, long bytes) {
        for (int index = 0; index < findings.size(); index++) {
            Finding found = findings.get(index);
            if (found.isOf(operation, team.size(), bytes) && !found.choice().equals(found.standard())) {
                Finding again = measure(team, operation, bytes, List.of(found.standard(), found.choice()));
                if (again.choice().equals(found.standard())) {
                    findings.set(index, again);
                }
                if (team.rank() == 0) {
                    report(again);
                }
            }
        }
    }

    private void report(Finding finding) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT, "%-14s %3d ranks %9d B:", finding.operation(), finding.ranks(), finding.bytes()));
        Candidate[] sorted = finding.candidates().toArray(Candidate[]::new);
        Arrays.sort(sorted, (one, other) -> Double.compare(one.median(), other.median()));
        for (Candidate candidate : sorted) {
            line.append(String.format(Locale.ROOT, " %s %.2f µs", candidate.algorithm(), candidate.median() * 1e6));
        }
        line.append(
                finding.choice().equals(finding.standard())
                        ? "; " + finding.choice() + " stays"
                        : String.format(
                                Locale.ROOT,
                                "; %s instead of %s, %.2f times as fast",
                                finding.choice(),
                                finding.standard(),
                                finding.gain()));
        System.out.println(line);
    }
}
