package org.galerna.bench.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.bench.model.Simulation.Outcome;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.TeamShape;
import org.galerna.collectives.team.TracedTeam;

/** What every algorithm of a collective takes on a machine, simulated where that is possible. */
public final class Study {
    private final Machine machine;
    private final int calls;

    /** One call of each on a machine: the time from its start to the end of the last rank. */
    public Study(Machine machine) {
        this(machine, 1);
    }

    /**
     * Calls that follow each other, as benchmarks make them: the time of one on average, in which a rank may be ahead of the
     * others.
     */
    public Study(Machine machine, int calls) {
        this.machine = machine;
        this.calls = calls;
    }

    /**
     * What an algorithm takes.
     *
     * @param bytes as the table of decisions counts them
     * @param standard name of the algorithm that the standard table has
     * @param seconds until the last rank is done
     * @param outcome what was simulated, of all calls together; empty if the time comes from the formula of the algorithm
     */
    public record Row(
            Operation operation,
            String algorithm,
            int ranks,
            long bytes,
            String standard,
            double seconds,
            Optional<Outcome> outcome) {}

    /** The algorithms that serve an operation with this size between this number of ranks. */
    public List<? extends Algorithm> algorithms(Operation operation, int ranks, long bytes) {
        TeamShape shape = job(ranks).shape();
        return Catalogue.algorithms(operation).stream()
                .filter(algorithm -> algorithm.restrictions().admits(shape) && bytes <= algorithm.largest(ranks))
                .toList();
    }

    /** What each of them takes. */
    public List<Row> rows(Operation operation, int ranks, long bytes) {
        TracedTeam.Job job = job(ranks);
        List<Row> rows = new ArrayList<>();
        for (Algorithm algorithm : algorithms(operation, ranks, bytes)) {
            rows.add(row(job, operation, algorithm, ranks, bytes));
        }
        return rows;
    }

    private Row row(TracedTeam.Job job, Operation operation, Algorithm algorithm, int ranks, long bytes) {
        Optional<Outcome> outcome = simulate(job, operation, algorithm, ranks, bytes, Double.POSITIVE_INFINITY);
        double seconds = outcome.map(each -> each.seconds() / calls).orElseGet(() -> estimate(algorithm, ranks, bytes));
        return row(job, operation, algorithm, ranks, bytes, seconds, outcome);
    }

    private static Row row(
            TracedTeam.Job job,
            Operation operation,
            Algorithm algorithm,
            int ranks,
            long bytes,
            double seconds,
            Optional<Outcome> outcome) {
        String standard = new Collectives(
                        new TracedTeam(job, 0, new Program(1).next(), 0), CollectiveOptions.standard())
                .algorithm(operation, bytes, true);
        return new Row(operation, algorithm.name(), ranks, bytes, standard, seconds, outcome);
    }

    /** What one algorithm takes; empty if it does not serve that. */
    public Optional<Row> row(Operation operation, String name, int ranks, long bytes) {
        return algorithms(operation, ranks, bytes).stream()
                .filter(algorithm -> algorithm.name().equals(name))
                .findFirst()
                .map(algorithm -> row(job(ranks), operation, algorithm, ranks, bytes));
    }

    /**
     * The fastest algorithm of those that can be simulated; empty if none can. The others are followed no further than it is known that they
     * take longer.
     */
    public Optional<Row> best(Operation operation, int ranks, long bytes) {
        TracedTeam.Job job = job(ranks);
        Optional<Row> best = Optional.empty();
        for (Algorithm algorithm : mostPromisingFirst(job, operation, ranks, bytes)) {
            double limit = best.map(row -> row.seconds() * calls).orElse(Double.POSITIVE_INFINITY);
            Optional<Outcome> outcome = simulate(job, operation, algorithm, ranks, bytes, limit);
            if (outcome.isPresent()) {
                best = outcome.map(
                        each -> row(job, operation, algorithm, ranks, bytes, each.seconds() / calls, outcome));
            }
        }
        return best;
    }

    /** By what is known when the ranks of the first host are written down; those that are longer than can be simulated are left out. */
    private List<Algorithm> mostPromisingFirst(TracedTeam.Job job, Operation operation, int ranks, long bytes) {
        int some = Math.min(ranks, machine.ranksPerHost());
        Map<Algorithm, Double> shortest = new LinkedHashMap<>();
        for (Algorithm algorithm : algorithms(operation, ranks, bytes)) {
            Program program = new Program(ranks);
            write(job, new TracedCall(operation, algorithm, ranks, bytes), program, some, Double.POSITIVE_INFINITY)
                    .ifPresent(seconds -> shortest.put(algorithm, seconds));
        }
        return shortest.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Writes down the first ranks of a job.
     *
     * @return the shortest time that it can take, in seconds; nothing if there are too many messages, or if that is above the limit
     */
    private Optional<Double> write(TracedTeam.Job job, TracedCall call, Program program, int count, double limit) {
        ShortestTime shortest = new ShortestTime(machine, program, count);
        double seconds = 0;
        try {
            for (int rank = 0; rank < count; rank++) {
                TracedTeam team = call.team(job, rank, program.next());
                for (int each = 0; each < calls; each++) {
                    call.run(team);
                }
                program.end();
                seconds = shortest.with(rank);
                if (limit < seconds) {
                    return Optional.empty();
                }
            }
        } catch (Program.TooLongException _) {
            return Optional.empty();
        }
        return Optional.of(seconds);
    }

    private TracedTeam.Job job(int ranks) {
        return new TracedTeam.Job(ranks, machine::hostOf, machine::socketOf);
    }

    /** What comes out; nothing if there are too many messages, or if it takes longer than a limit in seconds. */
    private Optional<Outcome> simulate(
            TracedTeam.Job job, Operation operation, Algorithm algorithm, int ranks, long bytes, double limit) {
        TracedCall call = new TracedCall(operation, algorithm, ranks, bytes);
        Program program = new Program(ranks, calls);
        if (write(job, call, program, ranks, limit).isEmpty()) {
            return Optional.empty();
        }
        try {
            program.match();
            return Simulation.run(machine, program, limit);
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
