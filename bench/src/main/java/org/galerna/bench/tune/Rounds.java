package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.DecisionTable;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.device.RankList;
import org.galerna.launch.ThreadJob;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;

/**
 * What a rank does to measure ways to carry out collectives: in rounds with more and more ranks, and in each the ways in
 * turns, so that what the machine does besides meets all of them.
 */
final class Rounds {
    private static final int TEAM_CONTEXT = 1;
    private static final int MOST_ITERATIONS = 100_000;
    private static final int PAUSE_CONTEXT = 2;
    private static final Reduction MAX = PrimitiveReductions.of(Operator.MAX, double[].class);

    private final Device device;
    private final Plan plan;
    private final int leastCalls;

    Rounds(Device device, Plan plan) {
        this(device, plan, 1);
    }

    /**
     * Of a plan.
     *
     * @param leastCalls in a repetition, if a call takes longer than it may: the first one also waits until all ranks are there
     */
    Rounds(Device device, Plan plan, int leastCalls) {
        this.device = device;
        this.plan = plan;
        this.leastCalls = leastCalls;
    }

    /** The device of a rank that the command has started. */
    static Device open() {
        Wireup wireup = Wireups.find(Rounds.class.getClassLoader())
                .orElseThrow(() -> new IllegalStateException("a rank has to be started by galerna tune"));
        return Devices.open(System.getProperty(ThreadJob.DEVICE_PROPERTY, Devices.AUTO), wireup);
    }

    /** What a round consists of: calls of one collective with one size. */
    @FunctionalInterface
    interface Step {
        void run(Team team, Operation operation, long bytes);
    }

    /** Runs a step for every number of ranks, operation and size of the plan that this rank has a part in. */
    void run(Step step) {
        for (int ranks : plan.ranks(device.size())) {
            if (device.rank() < ranks) {
                run(step, team(ranks));
            }
            pause(ranks);
        }
    }

    private Team team(int ranks) {
        return new Team(device, RankList.range(0, ranks), TEAM_CONTEXT);
    }

    /** Name of the device whose lines of a table of decisions count for all ranks together. */
    String deviceInTables() {
        return team(device.size()).deviceInTables();
    }

    private void run(Step step, Team team) {
        for (Operation operation : plan.operations()) {
            for (long bytes : Plan.sizesOf(operation, plan.sizes())) {
                if (TunedCall.memory(operation, team.size(), bytes) <= plan.mostMemory()) {
                    step.run(team, operation, bytes);
                }
            }
        }
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

    /** The table of the plan, which only rank 0 needs to have: the others may be on other hosts. */
    DecisionTable shareTable() throws IOException {
        Collectives all = new Collectives(team(device.size()), CollectiveOptions.standard());
        byte[] text = device.rank() == 0 ? Files.readAllBytes(plan.table()) : new byte[0];
        long[] length = {text.length};
        all.bcast(length, 0, Long.BYTES, 0);
        byte[] shared = Arrays.copyOf(text, Math.toIntExact(length[0]));
        all.bcast(shared, 0, shared.length, 0);
        return DecisionTable.of(
                plan.table().toString(),
                new String(shared, StandardCharsets.UTF_8).lines().toList());
    }

    /** Measures algorithms of a collective, in turns, the one of the standard table among them. */
    Finding find(Team team, Operation operation, long bytes, List<String> algorithms) {
        List<Collectives> ways = algorithms.stream()
                .map(algorithm ->
                        new Collectives(team, CollectiveOptions.standard().force(operation, algorithm)))
                .toList();
        int[] iterations = new int[ways.size()];
        double[][] seconds = measure(team, operation, bytes, ways, iterations);
        List<Candidate> candidates = new ArrayList<>();
        for (int way = 0; way < seconds.length; way++) {
            candidates.add(new Candidate(algorithms.get(way), seconds[way], iterations[way]));
        }
        String standard = new Collectives(team, CollectiveOptions.standard()).algorithm(operation, bytes, true);
        return new Finding(operation, team.size(), bytes, standard, candidates);
    }

    /** An algorithm that has been warmed up. */
    final class Warmed {
        private final Collectives timing;
        private final Collectives way;
        private final TunedCall call;
        private final String algorithm;
        private final int iterations;

        private Warmed(Team team, Operation operation, long bytes, String algorithm) {
            timing = new Collectives(team, CollectiveOptions.standard());
            way = new Collectives(team, CollectiveOptions.standard().force(operation, algorithm));
            call = new TunedCall(operation, team.size(), bytes);
            this.algorithm = algorithm;
            iterations = warmUp(timing, way, call);
        }

        Candidate measure() {
            double[] seconds = new double[plan.repetitions()];
            for (int repetition = 0; repetition < seconds.length; repetition++) {
                seconds[repetition] = time(timing, way, call, iterations);
            }
            return new Candidate(algorithm, seconds, iterations);
        }

        /** The number of rank 0, for all. */
        double agree(double number) {
            double[] agreed = {number};
            timing.bcast(agreed, 0, Double.BYTES, 0);
            return agreed[0];
        }
    }

    Warmed warmUp(Team team, Operation operation, long bytes, String algorithm) {
        return new Warmed(team, operation, bytes, algorithm);
    }

    /** Measures ways to carry out a collective, in turns; for each the seconds of a call in each repetition. */
    double[][] measure(Team team, Operation operation, long bytes, List<Collectives> ways) {
        return measure(team, operation, bytes, ways, new int[ways.size()]);
    }

    private double[][] measure(Team team, Operation operation, long bytes, List<Collectives> ways, int[] iterations) {
        Collectives timing = new Collectives(team, CollectiveOptions.standard());
        TunedCall call = new TunedCall(operation, team.size(), bytes);
        for (int way = 0; way < iterations.length; way++) {
            iterations[way] = warmUp(timing, ways.get(way), call);
        }
        double[][] seconds = new double[ways.size()][plan.repetitions()];
        for (int repetition = 0; repetition < plan.repetitions(); repetition++) {
            for (int turn = 0; turn < iterations.length; turn++) {
                int way = (repetition + turn) % iterations.length;
                seconds[way][repetition] = time(timing, ways.get(way), call, iterations[way]);
            }
        }
        return seconds;
    }

    /**
     * Warms a way up, and says how many calls of it last for a repetition. The first ones are slow, some many times: they
     * are not compiled yet, and the ranks may share a core. All ranks count the same seconds, and so the same rounds.
     */
    private int warmUp(Collectives timing, Collectives way, TunedCall call) {
        int iterations = plan.firstCalls();
        double once = time(timing, way, call, iterations);
        double elapsed = once * iterations;
        long calls = iterations;
        while (!plan.isWarm(elapsed, calls)) {
            iterations = calls(once);
            double now = time(timing, way, call, iterations);
            elapsed += now * iterations;
            calls += iterations;
            once = Math.min(once, now);
        }
        return calls(once);
    }

    private int calls(double once) {
        return (int) Math.clamp(plan.secondsPerRepetition() / once, leastCalls, MOST_ITERATIONS);
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
}
