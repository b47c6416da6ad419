package org.galerna.bench.tune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.galerna.bench.model.Machine;
import org.galerna.bench.model.Study;
import org.galerna.bench.model.Study.Row;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;

/** One rank of a job that measures the algorithms of the collectives, and compares with what a model of the machine says. */
public final class CheckingRank {
    /** Calls in a row that are measured at least, and simulated at most. */
    private static final int LEAST_CALLS = 16;

    private static final int MOST_SIMULATED = 1024;

    private static final double NEAR = 1.5;

    private final Rounds rounds;
    private final Machine machine;
    private final Map<Integer, List<Double>> ratios = new TreeMap<>();

    private CheckingRank(Rounds rounds, Machine machine) {
        this.rounds = rounds;
        this.machine = machine;
    }

    /**
     * Runs one rank; rank 0 says what it finds.
     *
     * @param arguments as {@link Plan#toArguments} gives them; the table is the file of the machine
     */
    public static void main(String[] arguments) throws IOException {
        Plan plan = Plan.parse(arguments);
        Machine machine = Machine.read(plan.table());
        try (Device device = Rounds.open()) {
            CheckingRank rank = new CheckingRank(new Rounds(device, plan, LEAST_CALLS), machine);
            rank.rounds.run(rank::check);
            if (device.rank() == 0) {
                rank.summarize();
            }
        }
    }

    private void check(Team team, Operation operation, long bytes) {
        if (team.size() < team.device().size()) {
            return; // ranks that have no part would disturb
        }
        List<String> algorithms = new Study(machine)
                .algorithms(operation, team.size(), bytes).stream()
                        .filter(algorithm -> algorithm.restrictions().admits(team.shape()))
                        .map(Algorithm::name)
                        .toList();
        Finding finding = rounds.find(team, operation, bytes, algorithms);
        if (team.rank() != 0) {
            return;
        }
        for (Candidate candidate : finding.candidates()) {
            // as many calls as were measured: in the first ones ranks are late, and in the last ones some are done
            int calls = Math.min(candidate.calls(), MOST_SIMULATED);
            Row row = new Study(machine, calls)
                    .row(operation, candidate.algorithm(), team.size(), bytes)
                    .orElseThrow();
            double measured = candidate.median();
            double ratio = row.seconds() / measured;
            ratios.computeIfAbsent(team.size(), _ -> new ArrayList<>()).add(ratio);
            System.out.printf(
                    Locale.ROOT,
                    "%-14s %4d ranks %9d B: %-20s measured %10.2f µs in %d calls, simulated %10.2f µs, ratio %.2f%n",
                    operation.label(),
                    team.size(),
                    bytes,
                    row.algorithm(),
                    measured * 1e6,
                    candidate.calls(),
                    row.seconds() * 1e6,
                    ratio);
        }
    }

    private void summarize() {
        ratios.forEach((ranks, of) -> {
            List<Double> sorted = of.stream().sorted().collect(Collectors.toList());
            long near = sorted.stream()
                    .filter(ratio -> ratio <= NEAR && ratio >= 1 / NEAR)
                    .count();
            System.out.printf(
                    Locale.ROOT,
                    "%d ranks: simulated / measured from %.2f to %.2f, median %.2f; %d of %d within a factor of %.1f%n",
                    ranks,
                    sorted.getFirst(),
                    sorted.getLast(),
                    sorted.get(sorted.size() / 2),
                    near,
                    sorted.size(),
                    NEAR);
        });
    }
}
