package org.galerna.bench.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.bench.model.Simulation.Outcome;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.TracedTeam;

/** What every algorithm of a collective takes on a machine, simulated where that is possible. */
public final class Study {
    /** More messages than these are not simulated: the memory and the minutes are not worth it. */
    static final long MOST_MESSAGES = 20_000_000;

    private final Machine machine;

    /** On one machine. */
    public Study(Machine machine) {
        this.machine = machine;
    }

    /**
     * What an algorithm takes.
     *
     * @param bytes as the table of decisions counts them
     * @param seconds until the last rank is done
     * @param outcome what was simulated; empty if the time comes from the formula of the algorithm
     */
    public record Row(
            Operation operation, String algorithm, int ranks, long bytes, double seconds, Optional<Outcome> outcome) {}

    /** All algorithms that serve an operation with this size between this number of ranks. */
    public List<Row> rows(Operation operation, int ranks, long bytes) {
        TracedTeam.Job job = new TracedTeam.Job(ranks, machine::hostOf, machine::socketOf);
        List<Row> rows = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.algorithms(operation)) {
            if (algorithm.restrictions().admits(job.shape()) && bytes <= algorithm.largest(ranks)) {
                Optional<Outcome> outcome = simulate(job, operation, algorithm, ranks, bytes);
                double seconds = outcome.map(Outcome::seconds).orElseGet(() -> estimate(algorithm, ranks, bytes));
                rows.add(new Row(operation, algorithm.name(), ranks, bytes, seconds, outcome));
            }
        }
        return rows;
    }

    private Optional<Outcome> simulate(
            TracedTeam.Job job, Operation operation, Algorithm algorithm, int ranks, long bytes) {
        TracedCall call = new TracedCall(operation, algorithm, ranks, bytes);
        Program program = new Program(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            call.run(new TracedTeam(job, rank, program.next()));
            program.end();
            if (program.messageCount() > MOST_MESSAGES) {
                return Optional.empty();
            }
        }
        try {
            program.match();
            return Optional.of(Simulation.run(machine, program));
        } catch (IllegalStateException wrong) {
            throw new IllegalStateException(
                    operation + " by " + algorithm.name() + " on " + ranks + " ranks: " + wrong.getMessage(), wrong);
        }
    }

    /** By the formula of the algorithm, with messages as far as they go. */
    private double estimate(Algorithm algorithm, int ranks, long bytes) {
        Level farthest = machine.between(0, ranks - 1);
        LinkCost link = machine.link(farthest);
        Cost cost = algorithm.cost(ranks, bytes);
        return cost.seconds(
                Math.max(link.gap() * Math.min(ranks, machine.ranksPerHost()), link.latency() + 2 * link.overhead()),
                link.gapPerByte(),
                machine.combinePerByte());
    }
}
