package org.galerna.bench.tune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.galerna.bench.model.Machine;
import org.galerna.bench.model.SharedCores.Measured;
import org.galerna.bench.model.Study;
import org.galerna.bench.model.Study.Row;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a job that measures the algorithms of the collectives, and compares with what a model of the machine says. Where ranks
 * share cores, what that costs is measured directly before and after each algorithm, and counts in place of what the file says:
 * it changes within seconds.
 */
public final class CheckingRank {
    /** Calls in a row that are measured at least, and simulated at most. */
    private static final int LEAST_CALLS = 16;

    private static final int MOST_SIMULATED = 1024;

    private static final double NEAR = 1.5;

    /** What is measured before and after an algorithm differs by no larger factor, or all is measured again. */
    private static final double STEADY = 1.3;

    private static final int MOST_ATTEMPTS = 4;

    private static final int REPETITIONS = 5;
    private static final int ROUNDS = 10;

    private final Rounds rounds;
    private final Machine machine;
    private final @Nullable SharingPatterns patterns;
    private final Map<Integer, List<Double>> ratios = new TreeMap<>();

    /** What an algorithm took, and what sharing cores cost before and after it, unless the ranks do not share any. */
    private record Beside(
            @Nullable Measured before,
            Candidate candidate,
            @Nullable Measured after) {
        double drift() {
            return before == null || after == null ? 1 : before.drift(after);
        }
    }

    private CheckingRank(Rounds rounds, Machine machine, @Nullable SharingPatterns patterns) {
        this.rounds = rounds;
        this.machine = machine;
        this.patterns = patterns;
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
            CheckingRank rank =
                    new CheckingRank(new Rounds(device, plan, LEAST_CALLS), machine, SharingPatterns.ifShared(device));
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
        for (String algorithm : algorithms) {
            Beside found = measure(rounds.warmUp(team, operation, bytes, algorithm));
            if (team.rank() == 0) {
                compare(operation, team.size(), bytes, found);
            }
        }
    }

    /** The attempt in which what sharing costs has changed least. */
    private Beside measure(Rounds.Warmed warmed) {
        Beside last = new Beside(beside(), warmed.measure(), beside());
        Beside steadiest = last;
        for (int attempt = 1; attempt < MOST_ATTEMPTS && warmed.agree(steadiest.drift()) > STEADY; attempt++) {
            last = new Beside(last.after(), warmed.measure(), beside());
            if (last.drift() < steadiest.drift()) {
                steadiest = last;
            }
        }
        return steadiest;
    }

    private @Nullable Measured beside() {
        return patterns == null ? null : patterns.measure(REPETITIONS, ROUNDS);
    }

    private void compare(Operation operation, int ranks, long bytes, Beside found) {
        Candidate candidate = found.candidate();
        // as many calls as were measured: in the first ones ranks are late, and in the last ones some are done
        int calls = Math.min(candidate.calls(), MOST_SIMULATED);
        Row row = new Study(now(found), calls)
                .row(operation, candidate.algorithm(), ranks, bytes)
                .orElseThrow();
        double measured = candidate.median();
        double ratio = row.seconds() / measured;
        ratios.computeIfAbsent(ranks, _ -> new ArrayList<>()).add(ratio);
        System.out.printf(
                Locale.ROOT,
                "%-14s %4d ranks %9d B: %-20s measured %10.2f µs in %d calls, simulated %10.2f µs, ratio %.2f%s%n",
                operation.label(),
                ranks,
                bytes,
                row.algorithm(),
                measured * 1e6,
                candidate.calls(),
                row.seconds() * 1e6,
                ratio,
                found.drift() <= STEADY ? "" : String.format(Locale.ROOT, ", unsteady by %.2f", found.drift()));
    }

    /** The machine as it was beside an algorithm. */
    private Machine now(Beside found) {
        Measured before = found.before();
        Measured after = found.after();
        return patterns == null || before == null || after == null
                ? machine
                : patterns.costs().fit(machine, before.mean(after));
    }

    private void summarize() {
        if (patterns != null) {
            System.out.println("What sharing cores costs was measured beside each of them.");
        }
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
