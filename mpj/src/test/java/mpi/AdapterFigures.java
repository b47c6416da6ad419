package mpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.galerna.harness.Ranks;

/**
 * What package {@code mpi} takes over an adapter beside the programs of perftest, in one run: {@link AdapterFiguresTest} starts
 * it in a virtual machine. The two take turns, so that a machine that is slow at times is slow for both.
 */
final class AdapterFigures {
    private static final String VERBS = "galerna.verbs.";
    private static final int TURNS = 3;
    private static final int WARM_UP_SECONDS = Integer.getInteger("figures.warmUp", 40);
    private static final int LATENCY_ROUNDS = 1000;
    private static final int WINDOW = 16;
    private static final int KIBIBYTE = 1024;

    /** Results of the ranks, which have classes of their own: the properties of the virtual machine are everybody's. */
    private static final String RESULT = "adapter.figure";

    private AdapterFigures() {}

    /** Arguments: which figures to take, of {@code latency bandwidth inline rendezvous registration}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.setProperty("galerna.device", "ibvdev");
        for (String part : arguments) {
            switch (part) {
                case "latency" -> {
                    warmUp(() -> latency(1, LATENCY_ROUNDS));
                    turns("latency of 1 byte, µs", () -> sendLatency(1), () -> latency(1, LATENCY_ROUNDS));
                }
                case "bandwidth" -> besidePerftest();
                case "inline" -> {
                    warmUp(() -> latency(1, LATENCY_ROUNDS));
                    for (int bytes : new int[] {1, 64, 256}) {
                        compare(
                                "latency of " + bytes + " bytes, µs",
                                "inline",
                                List.of("-1", "0"),
                                () -> latency(bytes, LATENCY_ROUNDS));
                    }
                }
                case "rendezvous" -> options("rendezvous", "read", "write");
                case "registration" -> options("registration.cache", "256", "0");
                default -> throw new IllegalArgumentException("no figures of that name: " + part);
            }
        }
    }

    private static void besidePerftest() throws IOException, InterruptedException {
        warmUp(() -> bandwidth(64 * KIBIBYTE, 60, true));
        for (int kibibytes : new int[] {64, 1024}) {
            int bytes = kibibytes * KIBIBYTE;
            int messages = kibibytes == 64 ? 600 : 60;
            turns(
                    "bandwidth at " + kibibytes + " KiB, MB/s, native memory",
                    () -> writeBandwidth(bytes, messages),
                    () -> bandwidth(bytes, messages, true));
            turns(
                    "bandwidth at " + kibibytes + " KiB, MB/s, arrays",
                    () -> writeBandwidth(bytes, messages),
                    () -> bandwidth(bytes, messages, false));
        }
    }

    private static void options(String option, String one, String other) throws IOException, InterruptedException {
        warmUp(() -> bandwidth(64 * KIBIBYTE, 60, true));
        for (int kibibytes : new int[] {16, 64, 1024}) {
            int bytes = kibibytes * KIBIBYTE;
            int messages = kibibytes == 1024 ? 60 : 300;
            compare(
                    "bandwidth at " + kibibytes + " KiB, MB/s, native memory",
                    option,
                    List.of(one, other),
                    () -> bandwidth(bytes, messages, true));
        }
    }

    /** Until the code is compiled, which takes long where the compiler is emulated, too. */
    private static void warmUp(Measurement measurement) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
        while (System.nanoTime() < end) {
            measurement.take();
        }
    }

    /** Something that is measured. */
    private interface Measurement {
        double take() throws IOException, InterruptedException;
    }

    private static void turns(String what, Measurement perftest, Measurement galerna)
            throws IOException, InterruptedException {
        double[] theirs = new double[TURNS];
        double[] ours = new double[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            theirs[turn] = perftest.take();
            ours[turn] = galerna.take();
        }
        print(what + ": perftest", median(theirs), "galerna", median(ours));
    }

    private static void compare(String what, String option, List<String> values, Measurement measurement)
            throws IOException, InterruptedException {
        double[][] results = new double[2][TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            for (int value = 0; value < 2; value++) {
                System.setProperty(VERBS + option, values.get(value));
                results[value][turn] = measurement.take();
            }
        }
        System.clearProperty(VERBS + option);
        print(
                what + ": " + option + "=" + values.getFirst(),
                median(results[0]),
                option + "=" + values.getLast(),
                median(results[1]));
    }

    private static void print(String first, double one, String second, double other) {
        System.out.printf(Locale.ROOT, "%s %.1f, %s %.1f, ratio %.2f%n", first, one, second, other, other / one);
        System.out.flush();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    // ---- package mpi

    private static double latency(int bytes, int rounds) {
        Ranks.run(2, (rank, size) -> {
            byte[] buffer = new byte[bytes];
            double[] micros = new double[rounds];
            for (int round = -rounds / 4; round < rounds; round++) {
                long start = System.nanoTime();
                if (rank == 0) {
                    MPI.COMM_WORLD.Send(buffer, 0, bytes, MPI.BYTE, 1, 1);
                    MPI.COMM_WORLD.Recv(buffer, 0, bytes, MPI.BYTE, 1, 1);
                } else {
                    MPI.COMM_WORLD.Recv(buffer, 0, bytes, MPI.BYTE, 0, 1);
                    MPI.COMM_WORLD.Send(buffer, 0, bytes, MPI.BYTE, 0, 1);
                }
                if (round >= 0) {
                    micros[round] = (System.nanoTime() - start) / 2e3;
                }
            }
            if (rank == 0) {
                System.setProperty(RESULT, String.valueOf(median(micros)));
            }
        });
        return Double.parseDouble(System.getProperty(RESULT));
    }

    /** Windows of messages, each window acknowledged: megabytes a second. */
    private static double bandwidth(int bytes, int messages, boolean outsideTheHeap) {
        Ranks.run(2, (rank, size) -> {
            Object[] buffers = new Object[WINDOW];
            for (int index = 0; index < WINDOW; index++) {
                buffers[index] = outsideTheHeap ? Arena.ofAuto().allocate(bytes, 4096) : new byte[bytes];
            }
            Request[] requests = new Request[WINDOW];
            long start = 0;
            int windows = messages / WINDOW + 1;
            for (int window = -1; window < windows; window++) {
                if (window == 0) {
                    start = System.nanoTime();
                }
                for (int index = 0; index < WINDOW; index++) {
                    requests[index] = rank == 0
                            ? MPI.COMM_WORLD.Isend(buffers[index], 0, bytes, MPI.BYTE, 1, 1)
                            : MPI.COMM_WORLD.Irecv(buffers[index], 0, bytes, MPI.BYTE, 0, 1);
                }
                Request.Waitall(requests);
                byte[] token = new byte[1];
                if (rank == 0) {
                    MPI.COMM_WORLD.Recv(token, 0, 1, MPI.BYTE, 1, 2);
                } else {
                    MPI.COMM_WORLD.Send(token, 0, 1, MPI.BYTE, 0, 2);
                }
            }
            if (rank == 0) {
                double seconds = (System.nanoTime() - start) / 1e9;
                System.setProperty(RESULT, String.valueOf((double) bytes * WINDOW * windows / seconds / 1e6));
            }
        });
        return Double.parseDouble(System.getProperty(RESULT));
    }

    // ---- perftest

    private static double sendLatency(int bytes) throws IOException, InterruptedException {
        return perftest("ib_send_lat", bytes, LATENCY_ROUNDS)[4]; // bytes, iterations, least, most, typical
    }

    private static double writeBandwidth(int bytes, int messages) throws IOException, InterruptedException {
        // bytes, iterations, peak, average: in units of 2^20
        return perftest("ib_write_bw", bytes, messages)[3] * KIBIBYTE * KIBIBYTE / 1e6;
    }

    private static double[] perftest(String program, int bytes, int rounds) throws IOException, InterruptedException {
        List<String> command = List.of(
                program, "-F", "-d", "rxe0", "-x", "1", "-s", String.valueOf(bytes), "-n", String.valueOf(rounds));
        Process server = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            List<String> to = new ArrayList<>(command);
            to.add("127.0.0.1");
            String output = "";
            for (int attempt = 0; attempt < 20; attempt++) { // until the server listens
                Process client =
                        new ProcessBuilder(to).redirectErrorStream(true).start();
                output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (client.waitFor() == 0) {
                    break;
                }
                Thread.currentThread().join(500);
            }
            String wanted = String.valueOf(bytes);
            return output.lines()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words[0].equals(wanted) && words.length > 3)
                    .findFirst()
                    .map(words -> Arrays.stream(words)
                            .mapToDouble(Double::parseDouble)
                            .toArray())
                    .orElseThrow(noResult(program, output));
        } finally {
            server.waitFor(10, TimeUnit.SECONDS);
            server.destroyForcibly();
        }
    }

    private static Supplier<IllegalStateException> noResult(String program, String output) {
        return () -> new IllegalStateException(program + " has said no result:\n" + output);
    }
}
