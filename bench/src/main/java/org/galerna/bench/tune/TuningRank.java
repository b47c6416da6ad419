package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.launch.ThreadJob;
import org.galerna.link.Wireup;
import org.galerna.link.Wireups;

/**
 * One rank of a job that measures the algorithms of the collectives. The algorithms for one operation and size are
 * measured in turns, so that what the machine does besides meets all of them.
 */
public final class TuningRank {
    private static final int TEAM_CONTEXT = 1;
    private static final int PAUSE_CONTEXT = 2;
    private static final Reduction MAX = PrimitiveReductions.of(Operator.MAX, double[].class);

    private final Device device;
    private final Plan plan;

    private TuningRank(Device device, Plan plan) {
        this.device = device;
        this.plan = plan;
    }

    /**
     * Runs one rank; rank 0 says what it finds and writes the table.
     *
     * @param arguments as {@link Plan#toArguments} gives them
     */
    public static void main(String[] arguments) throws IOException {
        Plan plan = Plan.parse(arguments);
        Wireup wireup = Wireups.find(TuningRank.class.getClassLoader())
                .orElseThrow(() -> new IllegalStateException("a rank has to be started by galerna tune"));
        try (Device device = Devices.open(System.getProperty(ThreadJob.DEVICE_PROPERTY, Devices.AUTO), wireup)) {
            List<Finding> findings = new TuningRank(device, plan).measure();
            if (device.rank() == 0) {
                Files.write(plan.table(), new TunedTable(device.name()).lines(findings));
            }
        }
    }

    private List<Finding> measure() {
        List<Finding> findings = new ArrayList<>();
        for (int ranks : plan.ranks(device.size())) {
            if (device.rank() < ranks) {
                Team team = new Team(device, IntStream.range(0, ranks).toArray(), TEAM_CONTEXT);
                Collectives timing = new Collectives(team, CollectiveOptions.standard());
                for (Operation operation : plan.operations()) {
                    for (long bytes : plan.sizesOf(operation)) {
                        if (TunedCall.memory(operation, ranks, bytes) <= plan.mostMemory()) {
                            findings.add(find(team, timing, operation, bytes));
                        }
                    }
                }
            }
            pause(ranks);
        }
        return findings;
    }

    /** The ranks that have no part in a measurement sleep until it is over. */
    private void pause(int ranks) {
        byte[] token = new byte[1];
        if (device.rank() >= ranks) {
            device.recv(token, 0, 1, 0, 0, PAUSE_CONTEXT).release();
        } else if (device.rank() == 0) {
            for (int idle = ranks; idle < device.size(); idle++) {
                device.send(token, 0, 1, idle, 0, PAUSE_CONTEXT);
            }
        }
    }

    private Finding find(Team team, Collectives timing, Operation operation, long bytes) {
        TunedCall call = new TunedCall(operation, team.size(), bytes);
        List<String> names = new ArrayList<>();
        List<Collectives> ways = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.algorithms(operation)) {
            if (algorithm.restrictions().admits(team.shape()) && bytes <= algorithm.largest(team.size())) {
                names.add(algorithm.name());
                ways.add(new Collectives(team, CollectiveOptions.standard().force(operation, algorithm.name())));
            }
        }
        int[] iterations = new int[ways.size()];
        for (int way = 0; way < iterations.length; way++) {
            time(timing, ways.get(way), call, plan.warmUp());
            double once = time(timing, ways.get(way), call, plan.warmUp());
            iterations[way] = (int) Math.clamp(plan.secondsPerRepetition() / once, 1, 100_000);
        }
        double[][] seconds = new double[ways.size()][plan.repetitions()];
        for (int repetition = 0; repetition < plan.repetitions(); repetition++) {
            for (int turn = 0; turn < iterations.length; turn++) {
                int way = (repetition + turn) % iterations.length;
                seconds[way][repetition] = time(timing, ways.get(way), call, iterations[way]);
            }
        }
        List<Candidate> candidates = new ArrayList<>();
        for (int way = 0; way < iterations.length; way++) {
            candidates.add(new Candidate(names.get(way), seconds[way]));
        }
        String standard = timing.algorithm(operation, bytes, true);
        Finding finding = new Finding(operation, team.size(), bytes, standard, candidates);
        if (team.rank() == 0) {
            report(finding);
        }
        return finding;
    }

    /** Seconds of one call on the slowest rank; the same number on all ranks. */
    private static double time(Collectives timing, Collectives way, TunedCall call, int iterations) {
        timing.barrier();
        long start = System.nanoTime();
        for (int each = 0; each < iterations; each++) {
            call.run(way);
        }
        double[] seconds = {(System.nanoTime() - start) / 1e9 / iterations};
        timing.allreduce(null, 0, seconds, 0, 1, MAX);
        return seconds[0];
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
