package org.galerna.bench.sockets;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.galerna.bench.peers.NettyTcp;
import org.galerna.bench.report.Ratio;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.Samples;
import org.galerna.bench.report.Unit;
import org.galerna.bench.suite.ContenderException;

/**
 * The figures of the paper on Java Fast Sockets for one host, and more: round trips and bandwidth by size, of bytes and of
 * arrays, Netty, HTTP, connections, many of them at a time, processors busy and idle; with sockets of the platform and with
 * fast ones, in turns and in one run.
 */
public final class SocketBenchmark {
    private static final List<Integer> ECHO_BYTES = List.of(1, 64, 1000, 4096, 16_384, 65_536);
    private static final List<Integer> ONE_KILOBYTE = List.of(1000);
    private static final List<Integer> STREAM_BYTES = List.of(1024, 8192, 65_536, 1 << 20);
    private static final List<Integer> ARRAY_BYTES = List.of(1024, 65_536, 1 << 20);
    private static final List<Integer> SMALL_ARRAY_BYTES = List.of(16, 1024, 65_536);
    private static final List<Integer> HTTP_BYTES = List.of(100);
    private static final List<Integer> ONE_BYTE = List.of(1);
    private static final String CONNECT = "connect";
    private static final String MANY = "many";
    private static final long FIRST_TIME = 5; // that many times the usual warm-up
    private static final long LIBRARY = 64; // the same for programs of much code, which is compiled in several steps
    private static final int CONNECTIONS = 200;
    private static final int EXCHANGES = 10_000;
    private static final long IDLE_MILLIS = 3000;
    private static final double PERCENT = 100;

    private final Options options;
    private final PrintStream out;
    private final List<Result> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * How to measure.
     *
     * @param fastOptions what has Java use fast sockets, but for connections to the given port
     * @param classPath where Galerna's classes are
     * @param warmUp milliseconds for each row, before repetitions are counted
     * @param repetitions of each row
     * @param milliseconds of each repetition
     */
    public record Options(
            FastOptions fastOptions, String classPath, int warmUp, int repetitions, double milliseconds) {}

    /** Options of Java. */
    @FunctionalInterface
    public interface FastOptions {
        /** Those that have it use fast sockets, but for connections to this port. */
        List<String> excluding(int port);
    }

    /**
     * What was measured.
     *
     * @param results of the platform, which is called "jdk", and of fast sockets
     * @param notes what was left out, and why
     */
    public record Outcome(List<Result> results, List<String> notes) {}

    /** Two pairs of processes that run the same program. */
    private record Pairs(SocketProcesses plain, SocketProcesses fast) implements AutoCloseable {
        void place(Placement placement) throws IOException {
            plain.place(placement);
            fast.place(placement);
        }

        @Override
        public void close() {
            plain.close();
            fast.close();
        }
    }

    /** A kind of measurement: what the plain and the fast pair are asked for. */
    private record Kind(String title, String plainWhat, String fastWhat, Unit unit) {
        Kind in(Placement placement) {
            return new Kind(title + placement.suffix(), plainWhat, fastWhat, unit);
        }
    }

    private SocketBenchmark(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /**
     * Measures, and prints tables as it goes.
     *
     * @throws IOException if the programs that are measured fail
     */
    public static Outcome run(Options options, PrintStream out) throws IOException {
        SocketBenchmark benchmark = new SocketBenchmark(options, out);
        int plainPort = unusedPort();
        List<String> fastOptions = options.fastOptions().excluding(plainPort);
        List<String> program = List.of("-cp", options.classPath(), SocketWork.class.getName());
        try (Pairs pairs = pairs(fastOptions, program, List.of("0"), List.of(Integer.toString(plainPort)))) {
            benchmark.sockets(pairs);
        }
        try (Pairs pairs = pairs(fastOptions, new NettyTcp().echo(), List.of(), List.of())) {
            benchmark.roundTrips(
                    pairs, new Kind("netty echo: round trip", "echo", "echo", Unit.MICROSECONDS), ONE_KILOBYTE);
        } catch (ContenderException cannot) {
            benchmark.note("Netty was left out: " + cannot.getMessage());
        }
        return new Outcome(benchmark.results, benchmark.notes);
    }

    private static Pairs pairs(
            List<String> fastOptions, List<String> program, List<String> plainArguments, List<String> fastArguments)
            throws IOException {
        SocketProcesses plain =
                new SocketProcesses(List.of("--enable-native-access=ALL-UNNAMED"), program, plainArguments);
        try {
            return new Pairs(plain, new SocketProcesses(fastOptions, program, fastArguments));
        } catch (IOException failed) {
            plain.close();
            throw failed;
        }
    }

    /** One that the programs are to listen at. */
    static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void note(String note) {
        notes.add(note);
        out.println("note: " + note);
    }

    private void sockets(Pairs pairs) throws IOException {
        Kind http = new Kind("HTTP request", "http", "http", Unit.MICROSECONDS);
        roundTrips(pairs, new Kind("echo: round trip", "echo", "echo", Unit.MICROSECONDS), ECHO_BYTES);
        measure(pairs, new Kind("stream of writes", "stream", "stream", Unit.GIGABYTES_PER_SECOND), STREAM_BYTES);
        for (String type : List.of("byte", "int", "double")) {
            String suffix = type.substring(0, 1);
            measure(
                    pairs,
                    new Kind(
                            type + "[]: round trip",
                            "objects-echo-" + suffix,
                            "arrays-echo-" + suffix,
                            Unit.MICROSECONDS),
                    SMALL_ARRAY_BYTES);
            measure(
                    pairs,
                    new Kind(type + "[]: stream", "objects-" + suffix, "arrays-" + suffix, Unit.GIGABYTES_PER_SECOND),
                    ARRAY_BYTES);
        }
        warmUp(pairs, http, HTTP_BYTES);
        measure(pairs, http, HTTP_BYTES);
        measure(pairs, new Kind("connect, one byte to and fro, close", CONNECT, CONNECT, Unit.MICROSECONDS), ONE_BYTE);
        measure(
                pairs,
                new Kind("1000 connections, half of them plain: each message", MANY, MANY, Unit.MICROSECONDS),
                ONE_KILOBYTE);
        idle(pairs);
    }

    /** In all places. Programs warm up unbound: on one core the threads that compile wait for those that are measured. */
    private void roundTrips(Pairs pairs, Kind kind, List<Integer> sizes) throws IOException {
        warmUp(pairs, kind, sizes);
        Optional<String> obstacle = Placement.unavailable();
        if (obstacle.isPresent()) {
            note("no process was bound to a core: " + obstacle.get());
            measure(pairs, kind, sizes);
            return;
        }
        for (Placement placement : List.of(Placement.OWN_CORES, Placement.ONE_CORE, Placement.ANYWHERE)) {
            pairs.place(placement);
            measure(pairs, kind.in(placement), sizes);
        }
    }

    private void warmUp(Pairs pairs, Kind kind, List<Integer> sizes) throws IOException {
        long each = LIBRARY * options.warmUp() / sizes.size();
        for (int bytes : sizes) {
            warmUp(pairs.plain(), kind.plainWhat(), bytes, each);
            warmUp(pairs.fast(), kind.fastWhat(), bytes, each);
        }
    }

    private void measure(Pairs pairs, Kind kind, List<Integer> sizes) throws IOException {
        out.printf(
                Locale.ROOT,
                "%n%s, %s%n%10s %12s %12s %8s %14s %14s%n",
                kind.title(),
                kind.unit().symbol(),
                "bytes",
                "jdk",
                "fast",
                "ratio",
                "busy jdk",
                "busy fast");
        for (int bytes : sizes) {
            row(pairs, kind, bytes);
        }
    }

    /** A row: medians, the ratio of fast to platform, and how many processors were busy. */
    private void row(Pairs pairs, Kind kind, int bytes) throws IOException {
        int plainCount = calibrate(pairs.plain(), kind.plainWhat(), bytes);
        int fastCount = calibrate(pairs.fast(), kind.fastWhat(), bytes);
        Samples plain = new Samples();
        Samples fast = new Samples();
        double[] busy = new double[4]; // time and processor time of each
        for (int repetition = 0; repetition < options.repetitions(); repetition++) {
            plain.add(figure(kind, bytes, timed(pairs.plain(), kind.plainWhat(), bytes, plainCount, busy, 0)));
            fast.add(figure(kind, bytes, timed(pairs.fast(), kind.fastWhat(), bytes, fastCount, busy, 2)));
        }
        add("jdk", kind.title(), bytes, kind.unit(), plain);
        add("galerna", kind.title(), bytes, kind.unit(), fast);
        add("jdk", kind.title() + ": processors busy", bytes, Unit.PERCENT_OF_A_CORE, of(PERCENT * busy[1] / busy[0]));
        add(
                "galerna",
                kind.title() + ": processors busy",
                bytes,
                Unit.PERCENT_OF_A_CORE,
                of(PERCENT * busy[3] / busy[2]));
        print(
                bytes,
                plain.median(),
                fast.median(),
                Ratio.of(fast, plain).median(),
                busy[1] / busy[0],
                busy[3] / busy[2]);
    }

    private void print(int bytes, double plain, double fast, double ratio, double busyPlain, double busyFast) {
        out.printf(
                Locale.ROOT,
                "%10d %12.3f %12.3f %8.2f %14.2f %14.2f%n",
                bytes,
                plain,
                fast,
                ratio,
                busyPlain,
                busyFast);
        out.flush();
    }

    /** Microseconds, or bytes in a nanosecond. */
    private static double figure(Kind kind, int bytes, double nanos) {
        return kind.unit().moreIsBetter() ? bytes / nanos : nanos / TimeUnit.MICROSECONDS.toNanos(1);
    }

    private static Samples of(double value) {
        Samples samples = new Samples();
        samples.add(value);
        return samples;
    }

    private void add(String system, String benchmark, int bytes, Unit unit, Samples samples) {
        results.add(Result.of(system, "", benchmark, 2, bytes, 0, unit, samples, new TreeMap<>()));
    }

    private static double timed(SocketProcesses processes, String what, int bytes, int count, double[] busy, int at)
            throws IOException {
        long before = processes.cpu().toNanos();
        long time = processes.measure(what, bytes, count);
        busy[at] += time;
        busy[at + 1] += processes.cpu().toNanos() - before;
        return (double) time / count;
    }

    /** Warms up, longer at the first time; returns how many make a repetition. */
    private int calibrate(SocketProcesses processes, String what, int bytes) throws IOException {
        return warmUp(
                processes, what, bytes, processes.isFirst(what) ? FIRST_TIME * options.warmUp() : options.warmUp());
    }

    /** Measures for so many milliseconds; returns how many make a repetition. */
    private int warmUp(SocketProcesses processes, String what, int bytes, long milliseconds) throws IOException {
        int fixed = what.equals(CONNECT) ? CONNECTIONS : what.equals(MANY) ? EXCHANGES : 0;
        int count = fixed == 0 ? 64 : fixed;
        double nanos = options.milliseconds() * TimeUnit.MILLISECONDS.toNanos(1);
        long best = Long.MAX_VALUE;
        long limit = TimeUnit.MILLISECONDS.toNanos(milliseconds);
        for (long spent = 0; spent < limit; ) {
            long time = processes.measure(what, bytes, count);
            spent += time;
            best = Math.min(best, Math.max(1, time / count));
            count = fixed == 0 ? Math.clamp((long) (nanos / best), 16, 1_000_000) : fixed;
        }
        return count;
    }

    /** What processes need that have more than a thousand connections, and selectors and threads that wait for them. */
    private void idle(Pairs pairs) throws IOException {
        double plain = idle(pairs.plain());
        double fast = idle(pairs.fast());
        out.printf(
                Locale.ROOT,
                "%nidle with all these connections, %% of a core: jdk %.2f, fast %.2f%n",
                PERCENT * plain,
                PERCENT * fast);
        add("jdk", "idle", 0, Unit.PERCENT_OF_A_CORE, of(PERCENT * plain));
        add("galerna", "idle", 0, Unit.PERCENT_OF_A_CORE, of(PERCENT * fast));
    }

    private static double idle(SocketProcesses processes) throws IOException {
        long start = System.nanoTime();
        long before = processes.cpu().toNanos();
        try {
            Thread.sleep(IDLE_MILLIS);
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
        return (double) (processes.cpu().toNanos() - before) / (System.nanoTime() - start);
    }
}
