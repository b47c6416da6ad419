package org.galerna.bench.sockets;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The figures of the paper on Java Fast Sockets for one host: latency and bandwidth by size, of bytes and of arrays, with
 * sockets of the platform and with fast ones, in turns and in one run.
 */
public final class SocketBenchmark {
    private static final int[] ECHO_BYTES = {1, 64, 1000, 4096, 16_384, 65_536};
    private static final int[] STREAM_BYTES = {1024, 8192, 65_536, 1 << 20};
    private static final int[] ARRAY_BYTES = {1024, 65_536, 1 << 20};
    private static final int CONNECTIONS = 200;

    private final SocketProcesses plain;
    private final SocketProcesses fast;
    private final PrintStream out;
    private final int repetitions;
    private final long nanos;

    private SocketBenchmark(
            SocketProcesses plain, SocketProcesses fast, PrintStream out, int repetitions, double milliseconds) {
        this.plain = plain;
        this.fast = fast;
        this.out = out;
        this.repetitions = repetitions;
        this.nanos = (long) (milliseconds * TimeUnit.MILLISECONDS.toNanos(1));
    }

    /**
     * Measures and prints tables.
     *
     * @param fastOptions what has Java use fast sockets
     * @param classPath where Galerna's classes are
     * @param milliseconds of each repetition
     */
    public static void run(
            List<String> fastOptions, String classPath, int repetitions, double milliseconds, PrintStream out)
            throws IOException {
        try (SocketProcesses plain = new SocketProcesses(List.of("--enable-native-access=ALL-UNNAMED"), classPath);
                SocketProcesses fast = new SocketProcesses(fastOptions, classPath)) {
            new SocketBenchmark(plain, fast, out, repetitions, milliseconds).run();
        }
    }

    private void run() throws IOException {
        head("echo: round trip", "us");
        for (int bytes : ECHO_BYTES) {
            row("echo", "echo", bytes, 1, false);
        }
        head("stream of writes", "MB/s");
        for (int bytes : STREAM_BYTES) {
            row("stream", "stream", bytes, bytes, true);
        }
        head("int[]: objects by the platform, arrays by fast sockets", "MB/s");
        for (int bytes : ARRAY_BYTES) {
            row("objects-i", "arrays-i", bytes, bytes, true);
        }
        head("double[]: objects by the platform, arrays by fast sockets", "MB/s");
        for (int bytes : ARRAY_BYTES) {
            row("objects-d", "arrays-d", bytes, bytes, true);
        }
        head("connect, one byte to and fro, close", "us");
        row("connect", "connect", 1, 1, false);
    }

    private void head(String title, String unit) {
        out.printf(
                Locale.ROOT,
                "%n%s, %s%n%10s %12s %12s %8s %14s %14s%n",
                title,
                unit,
                "bytes",
                "platform",
                "fast",
                "ratio",
                "busy platform",
                "busy fast");
    }

    /** A row: medians, the ratio of fast to platform, and how many processors were busy. */
    private void row(String plainWhat, String fastWhat, int bytes, int each, boolean rate) throws IOException {
        int plainCount = calibrate(plain, plainWhat, bytes);
        int fastCount = calibrate(fast, fastWhat, bytes);
        double[] plainNanos = new double[repetitions];
        double[] fastNanos = new double[repetitions];
        double[] busy = new double[4]; // time and processor time of each
        for (int repetition = 0; repetition < repetitions; repetition++) {
            plainNanos[repetition] = timed(plain, plainWhat, bytes, plainCount, busy, 0);
            fastNanos[repetition] = timed(fast, fastWhat, bytes, fastCount, busy, 2);
        }
        double plainMedian = median(plainNanos);
        double fastMedian = median(fastNanos);
        double plainFigure = rate ? each / plainMedian * 1000 : plainMedian / 1000;
        double fastFigure = rate ? each / fastMedian * 1000 : fastMedian / 1000;
        out.printf(
                Locale.ROOT,
                "%10d %12.2f %12.2f %8.2f %14.2f %14.2f%n",
                bytes,
                plainFigure,
                fastFigure,
                fastFigure / plainFigure,
                busy[1] / busy[0],
                busy[3] / busy[2]);
        out.flush();
    }

    private static double timed(SocketProcesses processes, String what, int bytes, int count, double[] busy, int at)
            throws IOException {
        long before = processes.cpu().toNanos();
        long time = processes.measure(what, bytes, count);
        busy[at] += time;
        busy[at + 1] += processes.cpu().toNanos() - before;
        return (double) time / count;
    }

    /** Warms up; returns how many make a repetition. */
    private int calibrate(SocketProcesses processes, String what, int bytes) throws IOException {
        if (what.equals("connect")) {
            processes.measure(what, bytes, CONNECTIONS);
            return CONNECTIONS;
        }
        int count = 64;
        long best = Long.MAX_VALUE;
        List<Long> each = new ArrayList<>();
        for (long spent = 0; spent < 10 * nanos || each.size() < 5; ) {
            long time = processes.measure(what, bytes, count);
            spent += time;
            each.add(time / count);
            best = Math.min(best, Math.max(1, time / count));
            count = Math.clamp(nanos / best, 16, 1_000_000);
        }
        return count;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
