package org.galerna.bench.pingpong;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import mpi.MPI;

/**
 * The ping-pong benchmark, an MPI program for two ranks: rank 0 measures and prints, rank 1 answers. Arguments are
 * {@code sizes=1,8,1024}, {@code repetitions=20}, {@code window=64} and {@code brief} (latencies alone, next to sockets,
 * a line per size), each optional.
 */
public final class PingPong {
    private static final int LARGEST = 16 << 20;
    private static final int MEBIBYTE = 1 << 20;

    /** A size at which messages are announced and not sent eagerly. */
    private static final int ANNOUNCED = 64 * 1024;

    private static final int RATE_WINDOWS = 5_000;
    private static final int WARM_UP_WINDOWS = 40_000;

    private PingPong() {}

    /** Runs one rank. */
    public static void main(String[] arguments) throws IOException {
        MPI.Init(arguments);
        if (MPI.COMM_WORLD.Size() != 2) {
            throw new IllegalArgumentException(
                    "the ping-pong needs two ranks, not " + MPI.COMM_WORLD.Size() + ": use -n 2");
        }
        Settings settings = Settings.parse(arguments);
        int longest =
                settings.sizes().stream().mapToInt(Integer::intValue).max().orElse(1);
        if (settings.brief()) {
            briefly(settings, longest);
        } else if (MPI.COMM_WORLD.Rank() == 0) {
            List<Latency> results = latencies(settings, Math.max(longest, MEBIBYTE));
            Summary.print(results, rates(settings), allocations(), System.out);
        } else {
            MpiPair.serve(Math.max(longest, MEBIBYTE));
            rates(settings);
            allocations();
        }
        MPI.Finalize();
    }

    private static void briefly(Settings settings, int longest) throws IOException {
        if (MPI.COMM_WORLD.Rank() != 0) {
            MpiPair.serve(Math.max(longest, ANNOUNCED));
            return;
        }
        try (Pair mpi = new MpiPair(Math.max(longest, ANNOUNCED));
                Pair tcp = SocketPair.tcp(Math.max(longest, ANNOUNCED));
                Pair unix = SocketPair.unix(Math.max(longest, ANNOUNCED))) {
            List<Pair> pairs = List.of(mpi, tcp, unix);
            LatencyMeter meter = new LatencyMeter(pairs, settings.repetitions());
            meter.warmUp(1);
            meter.warmUp(ANNOUNCED);
            BriefTable table = new BriefTable(System.out);
            table.printHead(pairs);
            settings.sizes().forEach(size -> table.print(meter.measure(size)));
        }
    }

    private record Settings(List<Integer> sizes, int repetitions, int window, boolean brief) {
        static Settings parse(String[] arguments) {
            List<Integer> sizes = new ArrayList<>();
            for (int size = 1; size <= LARGEST; size *= 2) {
                sizes.add(size);
            }
            int repetitions = 20;
            int window = 64;
            boolean brief = false;
            for (String argument : arguments) {
                int equals = argument.indexOf('=');
                String key = equals < 0 ? argument : argument.substring(0, equals);
                String value = argument.substring(equals + 1);
                switch (key) {
                    case "sizes" ->
                        sizes = List.of(value.split(",", -1)).stream()
                                .map(Integer::valueOf)
                                .toList();
                    case "repetitions" -> repetitions = Integer.parseInt(value);
                    case "window" -> window = Integer.parseInt(value);
                    case "brief" -> brief = true;
                    default ->
                        throw new IllegalArgumentException("unknown argument \"" + argument
                                + "\"; there are sizes=, repetitions=, window= and brief");
                }
            }
            return new Settings(sizes, repetitions, window, brief);
        }
    }

    private static List<Latency> latencies(Settings settings, int longest) throws IOException {
        List<Latency> results = new ArrayList<>();
        try (Pair mpi = new MpiPair(Math.max(longest, ANNOUNCED));
                Pair line = new CacheLinePair();
                Pair copy = new ArrayCopyPair(longest);
                Pair tcp = SocketPair.tcp(longest);
                Pair unix = SocketPair.unix(longest)) {
            LatencyMeter all = new LatencyMeter(List.of(mpi, copy, tcp, unix), settings.repetitions());
            LatencyMeter smallest = new LatencyMeter(List.of(mpi, line, tcp, unix), settings.repetitions());
            smallest.warmUp(1);
            all.warmUp(4096);
            all.warmUp(ANNOUNCED);
            LatencyTable table = new LatencyTable(System.out);
            table.printHead();
            for (int size : settings.sizes()) {
                List<Latency> measured = (size == 1 ? smallest : all).measure(size);
                measured.forEach(table::print);
                results.addAll(measured);
            }
        }
        return results;
    }

    private static List<Double> rates(Settings settings) {
        MessageRate rate = new MessageRate(settings.window());
        rate.measure(1, WARM_UP_WINDOWS);
        return rate.measure(settings.repetitions(), RATE_WINDOWS);
    }

    private static Map<Integer, Double> allocations() {
        Map<Integer, Double> bytes = new TreeMap<>();
        for (int length : List.of(1, 8, 64, 1024, 4096)) {
            bytes.put(length, Allocation.perMessage(length));
        }
        return bytes;
    }
}
