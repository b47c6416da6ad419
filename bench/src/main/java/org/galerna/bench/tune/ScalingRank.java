package org.galerna.bench.tune;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.galerna.bench.report.JsonFile;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;
import org.galerna.device.RankList;

/**
 * One rank of a job that measures what a job of its size takes: the time until all ranks have met, the memory of all ranks together, and
 * each collective.
 */
public final class ScalingRank {
    private static final int CONTEXT = 1;
    /** Rounds over all collectives that do not count: in these the code is compiled. */
    private static final int WARM_UP = 4;

    private static final int REPETITIONS = 5;
    private static final double SECONDS = 0.05;
    private static final int MOST_CALLS = 10_000;
    private static final double KIBI = 1024;

    private final Device device;
    private final Team team;
    private final Collectives all;

    private ScalingRank(Device device) {
        this.device = device;
        this.team = new Team(device, RankList.range(0, device.size()), CONTEXT);
        this.all = new Collectives(team, CollectiveOptions.standard());
    }

    /**
     * Runs one rank; rank 0 writes the file.
     *
     * @param arguments the file, and the bytes that each collective gets
     */
    public static void main(String[] arguments) throws IOException {
        long begun = System.currentTimeMillis();
        try (Device device = Rounds.open()) {
            long met = System.currentTimeMillis();
            ScalingRank rank = new ScalingRank(device);
            ScaledJob job = rank.measure(begun, met, Long.parseLong(arguments[1]));
            if (device.rank() == 0) {
                JsonFile.write(job, Path.of(arguments[0]));
            }
        }
    }

    private ScaledJob measure(long begun, long met, long bytes) throws IOException {
        long last = largest(met);
        long first = -largest(-begun);
        boolean isFirst = isFirstOfProcess();
        double resident = sum(isFirst ? resident() : 0);
        List<ScaledJob.Call> calls = calls(bytes);
        double afterwards = sum(isFirst ? resident() : 0);
        if (isFirst) {
            System.gc();
        }
        all.barrier();
        double heap = sum(isFirst ? heap() : 0);
        return new ScaledJob(
                device.size(),
                (last - first) / 1000.0,
                resident / device.size(),
                afterwards / device.size(),
                heap / device.size(),
                calls);
    }

    /**
     * Measures all collectives, one after another and all again: each is compiled when its turn counts, and what else the machine does
     * meets all of them alike.
     */
    private List<ScaledJob.Call> calls(long bytes) {
        List<Measured> measured = Arrays.stream(Operation.values())
                .filter(operation -> switch (operation) {
                    // as without v, with blocks of a fixed size, which are too long for so many ranks
                    case GATHERV, SCATTERV, ALLTOALLV -> false;
                    default -> true;
                })
                .map(operation -> new Measured(operation, bytes))
                .toList();
        for (int round = 0; round < WARM_UP + REPETITIONS; round++) {
            measured.forEach(Measured::repeat);
        }
        return measured.stream().map(Measured::call).toList();
    }

    /** A collective, and how long its calls have taken. */
    private final class Measured {
        private final Operation operation;
        private final long bytes;
        private final TunedCall tuned;
        private final List<Double> seconds = new ArrayList<>();
        private double shortest;

        Measured(Operation operation, long bytes) {
            this.operation = operation;
            this.bytes = bytes;
            long size = switch (operation) {
                case BARRIER -> 0;
                case ALLGATHER, ALLGATHERV -> bytes * device.size();
                default -> bytes;
            };
            this.tuned = new TunedCall(operation, device.size(), size);
            this.shortest = ScalingRank.this.repeat(tuned, 1);
        }

        /** Calls it as often as takes some time. All ranks agree about the times, and so about the number of calls. */
        void repeat() {
            int calls = (int) Math.clamp(SECONDS / shortest, 1, MOST_CALLS);
            double once = ScalingRank.this.repeat(tuned, calls);
            seconds.add(once);
            shortest = Math.min(shortest, once);
        }

        /** A call on the slowest rank, by the median. */
        ScaledJob.Call call() {
            double[] counted = seconds.stream()
                    .skip(WARM_UP)
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            return new ScaledJob.Call(operation.label(), bytes, new Candidate("", counted).median() * 1e6);
        }
    }

    /** Whether no lower rank is a thread of the same process. */
    private boolean isFirstOfProcess() {
        double[] own = {(double) ProcessHandle.current().pid()};
        double[] processes = new double[device.size()];
        all.allgather(own, 0, Double.BYTES, processes, 0);
        return IntStream.range(0, device.rank())
                .noneMatch(lower -> processes[lower] == own[0]
                        && device.hosts().hostOf(lower) == device.hosts().hostOf(device.rank()));
    }

    /** Seconds of one call on the slowest rank. */
    private double repeat(TunedCall call, int calls) {
        all.barrier();
        long start = System.nanoTime();
        for (int each = 0; each < calls; each++) {
            call.run(all);
        }
        return combined(Operator.MAX, (System.nanoTime() - start) / 1e9 / calls);
    }

    private long largest(long number) {
        return (long) combined(Operator.MAX, (double) number);
    }

    private double sum(double number) {
        return combined(Operator.SUM, number);
    }

    private double combined(Operator operator, double number) {
        Reduction reduction = PrimitiveReductions.of(operator, double[].class);
        double[] result = {number};
        all.allreduce(null, 0, result, 0, 1, reduction);
        return result[0];
    }

    /** Memory of this process that is not paged out, in KiB; 0 where the system does not say it so. */
    private static double resident() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        }
    }

    /** What objects take that are in use, in KiB. */
    private static double heap() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / KIBI;
    }
}
