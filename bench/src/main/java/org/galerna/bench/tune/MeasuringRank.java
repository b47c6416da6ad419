package org.galerna.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.galerna.bench.model.HostMemory;
import org.galerna.bench.model.Level;
import org.galerna.bench.model.LinkCost;
import org.galerna.bench.model.Machine;
import org.galerna.bench.model.Room;
import org.galerna.bench.model.SharedCores.Measured;
import org.galerna.bench.model.Sharing;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.Device;
import org.galerna.device.RankList;
import org.galerna.memory.idle.IdleStrategy;

/**
 * One rank of a job that measures what messages cost here, as parameters of a {@link Machine}: between rank 0 and the lowest other
 * rank of its host, and the lowest rank of another host. Where the ranks outnumber the cores, a token that goes around, and rounds
 * in which each rank waits for a message, say what it costs that they share them: see {@link SharedCores}.
 */
public final class MeasuringRank {
    private static final int CONTEXT = 1;
    private static final int REPETITIONS = 21;
    private static final double SECONDS = 2e-3;
    private static final double WARM_UP = 0.5;
    private static final int SHORT = 8;
    private static final int MIDDLE = 1024;
    private static final int WINDOW = 64;
    private static final int LONG = 1 << 20;
    private static final int LOCAL = 32 << 10;
    private static final int ROUNDS = 100;
    private static final long SLEEP_NANOS = 100_000;

    private final Device device;
    private final byte[] message = new byte[LONG];
    private final byte[] answer = new byte[LONG];

    private MeasuringRank(Device device) {
        this.device = device;
    }

    /**
     * Runs one rank; rank 0 writes the file.
     *
     * @param arguments the file
     */
    public static void main(String[] arguments) throws IOException {
        try (Device device = Rounds.open()) {
            if (device.size() < 2) {
                throw new IllegalArgumentException("-n takes a number from 2: one rank has nobody to talk to");
            }
            new MeasuringRank(device).run(Path.of(arguments[0]));
        }
    }

    private void run(Path file) throws IOException {
        int own = device.hosts().hostOf(0);
        int beside = lowest(rank -> rank > 0 && device.hosts().hostOf(rank) == own);
        int far = lowest(rank -> device.hosts().hostOf(rank) != own);
        Map<Level, LinkCost> links = new EnumMap<>(Level.class);
        for (int partner : new int[] {beside, far}) {
            if (partner >= 0) {
                LinkCost cost = link(partner);
                links.put(partner == far ? Level.NETWORK : Level.SOCKET, cost);
            }
        }
        SharingPatterns patterns = SharingPatterns.ifShared(device);
        if (device.hosts().hostOf(device.rank()) != own) {
            return; // only ranks of the first host are measured
        }
        Measured measured = patterns == null ? null : patterns.measure(REPETITIONS, ROUNDS);
        if (device.rank() == 0) {
            LinkCost nearest = Objects.requireNonNull(links.getOrDefault(Level.SOCKET, links.get(Level.NETWORK)));
            links.putIfAbsent(Level.NETWORK, nearest);
            links.putIfAbsent(Level.SOCKET, nearest);
            links.putIfAbsent(Level.HOST, nearest);
            int ranks = device.hosts().ranksBeside(0);
            int cores = Math.min(ranks, device.hosts().processorsBeside(0));
            Machine alone = new Machine(
                    "this machine, " + device.nameAmong(RankList.range(0, device.size())),
                    ranks,
                    1,
                    cores,
                    Sharing.FREE.withLooks(
                            ranks == cores
                                    ? 0
                                    : IdleStrategy.adaptive(ranks, cores).yields()),
                    ranks > cores && device.sharedHeap() != null ? Room.ofThreads(ranks, late()) : Room.UNLIMITED,
                    copy(),
                    combine(),
                    memory(cores),
                    links);
            Machine machine = patterns == null || measured == null
                    ? alone
                    : patterns.costs().fit(alone, measured);
            List<String> lines = new ArrayList<>(machine.lines());
            if (measured != null) {
                lines.add("");
                lines.add("# measured: " + measured);
            }
            lines.forEach(System.out::println);
            Files.write(file, lines);
        }
    }

    private int lowest(IntPredicate wanted) {
        return IntStream.range(0, device.size()).filter(wanted).findFirst().orElse(-1);
    }

    /** What messages cost between rank 0 and a partner; the others wait for a message that says that it is over. */
    private LinkCost link(int partner) {
        int limit = device.eagerLimit(device.rank() == 0 ? partner : 0);
        int eager = Math.min(limit, LONG) / 2;
        LinkCost cost = null;
        if (device.rank() == 0 || device.rank() == partner) {
            double shortTrip = pingPong(partner, SHORT);
            double middleTrip = pingPong(partner, MIDDLE);
            double eagerTrip = pingPong(partner, eager);
            double long4 = pingPong(partner, LONG / 4);
            double longTrip = pingPong(partner, LONG);
            double each = stream(partner, SHORT);
            // where ranks share cores, messages wait for their receivers, as those do that follow each other
            double overhead = isCrowded() ? each : Math.min(each, shortTrip / 2);
            double perByte = Math.max(1e-13, (longTrip - long4) / (LONG - LONG / 4));
            double eagerPerByte = Math.max(0, (eagerTrip - middleTrip) / Math.max(1, eager - MIDDLE));
            cost = new LinkCost(
                    Math.max(0, shortTrip - 2 * overhead),
                    overhead,
                    each,
                    perByte,
                    Math.max(1e-13, (eagerPerByte - perByte) / 2),
                    limit + 1L);
        }
        tellTheOthers(partner);
        return cost == null ? new LinkCost(0, 0, 0, 0, 0, 0) : cost;
    }

    private void tellTheOthers(int partner) {
        for (int other = 1; other < device.size(); other++) {
            if (other != partner) {
                if (device.rank() == 0) {
                    device.send(message, 0, 0, other, 1, CONTEXT);
                } else if (device.rank() == other) {
                    device.recv(answer, 0, 0, 0, 1, CONTEXT).release();
                }
            }
        }
    }

    /** Half a round trip in seconds. */
    private double pingPong(int partner, int bytes) {
        return measure(partner, calls -> {
            for (int call = 0; call < calls; call++) {
                if (device.rank() == 0) {
                    device.send(message, 0, bytes, partner, 0, CONTEXT);
                    device.recv(answer, 0, bytes, partner, 0, CONTEXT).release();
                } else {
                    device.recv(answer, 0, bytes, 0, 0, CONTEXT).release();
                    device.send(message, 0, bytes, 0, 0, CONTEXT);
                }
            }
            return 2 * calls;
        });
    }

    /** The seconds between messages that follow each other. */
    private double stream(int partner, int bytes) {
        return measure(partner, calls -> {
            int windows = Math.max(1, calls / WINDOW);
            for (int window = 0; window < windows; window++) {
                for (int each = 0; each < WINDOW; each++) {
                    if (device.rank() == 0) {
                        device.send(message, 0, bytes, partner, 0, CONTEXT);
                    } else {
                        device.recv(answer, 0, bytes, 0, 0, CONTEXT).release();
                    }
                }
                if (device.rank() == 0) {
                    device.recv(answer, 0, 0, partner, 0, CONTEXT).release();
                } else {
                    device.send(message, 0, 0, 0, 0, CONTEXT);
                }
            }
            return windows * WINDOW;
        });
    }

    /** Does something about as often as it is told, and returns how often it did. */
    @FunctionalInterface
    private interface Loop {
        int run(int calls);
    }

    private double measure(int partner, Loop loop) {
        int calls = 16;
        double elapsed = 0;
        double once = 1;
        while (elapsed < WARM_UP) {
            double seconds = time(loop, calls);
            elapsed = agree(partner, elapsed + seconds);
            once = agree(partner, seconds / calls);
            calls = (int) Math.clamp(SECONDS / once, 1, 1_000_000);
        }
        double[] each = new double[REPETITIONS];
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            long start = System.nanoTime();
            int done = loop.run(calls);
            each[repetition] = (System.nanoTime() - start) / 1e9 / done;
        }
        Arrays.sort(each);
        // where ranks share cores the shortest, in which nobody has slept: SharedCores finds what sleep costs
        return each[isCrowded() ? 0 : REPETITIONS / 2];
    }

    private boolean isCrowded() {
        return device.hosts().ranksBeside(device.rank()) > device.hosts().processorsBeside(device.rank());
    }

    private static double time(Loop loop, int calls) {
        long start = System.nanoTime();
        loop.run(calls);
        return (System.nanoTime() - start) / 1e9;
    }

    /** The number of rank 0. */
    private double agree(int partner, double number) {
        double[] agreed = {number};
        if (device.rank() == 0) {
            device.send(agreed, 0, Double.BYTES, partner, 2, CONTEXT);
        } else {
            device.recv(agreed, 0, Double.BYTES, 0, 2, CONTEXT).release();
        }
        return agreed[0];
    }

    /** Seconds that a sleep takes longer than it should. */
    private static double late() {
        double[] each = new double[REPETITIONS];
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            long start = System.nanoTime();
            LockSupport.parkNanos(SLEEP_NANOS);
            each[repetition] = (System.nanoTime() - start - SLEEP_NANOS) / 1e9;
        }
        Arrays.sort(each);
        return Math.max(0, each[REPETITIONS / 2]);
    }

    private static HostMemory memory(int cores) {
        try {
            return MemoryCurve.measure(cores);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while memory was measured", asked);
        }
    }

    private double copy() {
        return local(() -> System.arraycopy(message, 0, answer, 0, LOCAL));
    }

    private double combine() {
        Reduction sum = PrimitiveReductions.of(Operator.SUM, double[].class);
        double[] left = new double[LOCAL / Double.BYTES];
        double[] right = new double[LOCAL / Double.BYTES];
        return local(() -> sum.apply(left, 0, right, 0, left.length));
    }

    /** Seconds for a byte. */
    private static double local(Runnable work) {
        double best = Double.POSITIVE_INFINITY;
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            long start = System.nanoTime();
            for (int call = 0; call < 1000; call++) {
                work.run();
            }
            best = Math.min(best, (System.nanoTime() - start) / 1e9 / 1000 / LOCAL);
        }
        return best;
    }
}
