package org.galerna.bench.evaluation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.galerna.applications.lu.Lu;
import org.galerna.applications.molecular.Molecular;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.report.Machine;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.ThisMachine;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.SuiteListener;
import org.galerna.bench.suite.Task;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures the ratios that five papers report. What is compared runs in turns, and the best of the rounds counts. Once per
 * object; not thread-safe.
 */
public final class Evaluation {
    private static final String SMDEV = "smdev";
    private static final String RDMA = "rdma";
    private static final String SOCKETS_PAPER = "jfs";
    private static final String DXNET = "ibdxnet";
    private static final long LARGE = 1L << 20;
    private static final int WINDOW = 16;
    private static final int REPETITIONS = 20;
    private static final int ROUNDS = 3;

    /**
     * What to do.
     *
     * @param npb folder of NASA's programs; empty to leave them out
     * @param letter class of the kernels
     * @param quick do so little that the figures mean nothing
     */
    public record Options(Optional<Path> npb, String letter, boolean quick) {}

    /**
     * What is kept.
     *
     * @param command what was typed
     */
    public record Kept(Instant time, String command, Machine machine, List<Headline> headlines, List<String> notes) {}

    private final Options options;
    private final List<Headline> headlines = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** An evaluation. */
    public Evaluation(Options options) {
        this.options = options;
    }

    /** Measures all, and prints the table. */
    public Kept run(String command, PrintStream output) {
        Instant start = Instant.now();
        messages();
        kernels();
        applications();
        output.printf(Locale.ROOT, " %-7s %-52s %8s %8s%n", "paper", "ratio", "paper", "here");
        headlines.forEach(headline -> output.print(headline.row()));
        notes.forEach(note -> output.println("note: " + note));
        output.flush();
        return new Kept(start, command, ThisMachine.describe(), List.copyOf(headlines), List.copyOf(notes));
    }

    /** Writes what is kept. */
    public static void write(Kept kept, Path file) throws IOException {
        JsonMapper mapper =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        try {
            mapper.writeValue(file, kept);
        } catch (JacksonException failed) {
            throw new IOException("the figures cannot be written to " + file, failed);
        }
    }

    private void messages() {
        List<String> names = List.of("sockets", "openmpi", "mpich", "mpjexpress", "openmpi-java");
        List<ContenderFactory> contenders = Stream.concat(
                        Stream.of(GalernaSystems.mpi(1)),
                        ContenderFactory.peers().stream().filter(peer -> names.contains(peer.name())))
                .toList();
        Suite suite = new Suite(options.quick, options.quick ? 2 : REPETITIONS, SuiteListener.NONE);
        Suite.Outcome outcome = suite.run(List.of(
                new Task(Benchmark.LATENCY, 2, List.of(1L), 0, contenders),
                new Task(Benchmark.BANDWIDTH, 2, List.of(LARGE), WINDOW, contenders),
                new Task(Benchmark.RATE, 2, List.of(64L), 64, contenders)));
        notes.addAll(outcome.notes());
        List<Result> results = outcome.results();
        compare(results, Benchmark.LATENCY, SMDEV, "latency of sockets / of smdev, 1 byte", "sockets", 13);
        compare(results, Benchmark.BANDWIDTH, SMDEV, "bandwidth of smdev / of sockets, 1 MiB", "sockets", 6);
        compare(results, Benchmark.BANDWIDTH, SMDEV, "bandwidth of smdev / of Open MPI, 1 MiB", "openmpi", 1);
        compare(results, Benchmark.BANDWIDTH, SMDEV, "bandwidth of smdev / of MPICH, 1 MiB", "mpich", 1);
        compare(
                results,
                Benchmark.LATENCY,
                RDMA,
                "latency of Open MPI Java / of Galerna, 1 byte",
                "openmpi-java",
                1.24);
        compare(
                results,
                Benchmark.BANDWIDTH,
                RDMA,
                "bandwidth of Galerna / of Open MPI Java, 1 MiB",
                "openmpi-java",
                1.57);
        compare(results, Benchmark.RATE, DXNET, "message rate of Galerna / of MPJ Express, 64 bytes", "mpjexpress", 4);
    }

    private void compare(
            List<Result> results, Benchmark benchmark, String paper, String claim, String peer, double published) {
        Optional<Result> ours = result(results, benchmark, GalernaSystems.GALERNA);
        Optional<Result> theirs = result(results, benchmark, peer);
        if (ours.isEmpty() || theirs.isEmpty()) {
            headlines.add(Headline.missing(paper, claim, published, peer + " cannot be had here"));
            return;
        }
        double one = ours.get().median();
        double other = theirs.get().median();
        headlines.add(Headline.of(
                paper,
                claim,
                published,
                ours.get().unit().moreIsBetter() ? one / other : other / one,
                String.format(
                        Locale.ROOT,
                        "%.3f, %s %.3f %s",
                        one,
                        peer,
                        other,
                        ours.get().unit().symbol())));
    }

    private static Optional<Result> result(List<Result> results, Benchmark benchmark, String system) {
        return results.stream()
                .filter(result -> result.benchmark().equals(benchmark.word())
                        && result.system().equals(system))
                .findFirst();
    }

    private void kernels() {
        kernel("cg", 0.995);
        kernel("ft", 0.589);
        kernel("is", 0.892);
        kernel("mg", 0.700);
    }

    /** One rank beside NASA's program; and two ranks beside one, and beside two threads of Java. */
    private void kernel(String kernel, double published) {
        String letter = options.letter;
        String title = KernelRun.title(kernel, letter);
        Optional<Path> program = options.npb.flatMap(folder -> KernelRun.find(folder, kernel, letter));
        OptionalDouble[] best = bestOf(List.of(
                () -> KernelRun.ofGalerna(kernel, letter, 1, 1),
                () -> program.map(KernelRun::ofNative).orElse(OptionalDouble.empty()),
                () -> KernelRun.ofGalerna(kernel, letter, 2, 1),
                () -> KernelRun.ofGalerna(kernel, letter, 1, 2)));
        ratio(
                SMDEV,
                title + ": one rank / NASA's program",
                published,
                best[0],
                best[1],
                options.npb.isEmpty()
                        ? "give --npb FOLDER of NASA's programs"
                        : "no program " + kernel + "." + letter + " in the folder, or it has failed");
        ratio(SMDEV, title + ": two ranks / one rank", 1, best[2], best[0], "a run has failed");
        ratio(SMDEV, title + ": two ranks / two Java threads", 1, best[2], best[3], "a run has failed");
    }

    private void ratio(
            String paper, String claim, double published, OptionalDouble one, OptionalDouble other, String why) {
        if (one.isEmpty() || other.isEmpty() || other.getAsDouble() == 0) {
            headlines.add(Headline.missing(paper, claim, published, why));
        } else {
            headlines.add(Headline.of(
                    paper,
                    claim,
                    published,
                    one.getAsDouble() / other.getAsDouble(),
                    String.format(Locale.ROOT, "%.2f, %.2f", one.getAsDouble(), other.getAsDouble())));
        }
    }

    /** The best of some rounds, in which all take turns. */
    private OptionalDouble[] bestOf(List<Supplier<OptionalDouble>> runs) {
        OptionalDouble[] best = new OptionalDouble[runs.size()];
        Arrays.fill(best, OptionalDouble.empty());
        for (int round = 0; round < (options.quick ? 1 : ROUNDS); round++) {
            for (int index = 0; index < best.length; index++) {
                OptionalDouble now = runs.get(index).get();
                if (best[index].isEmpty() || now.orElse(0) > best[index].getAsDouble()) {
                    best[index] = now;
                }
            }
        }
        return best;
    }

    /** The messages of sockets are those of niodev, between processes; shmdev is what takes their place. */
    private void applications() {
        application(
                "LU factorization: shared memory / sockets",
                1.79,
                Lu.class.getName(),
                List.of("--order", options.quick ? "200" : "1600"),
                "Gflop/s");
        application(
                "molecular dynamics: shared memory / sockets",
                1.14,
                Molecular.class.getName(),
                List.of("--cells", options.quick ? "5" : "10", "--steps", options.quick ? "5" : "200"),
                "million particle steps/s");
    }

    private void application(String claim, double published, String program, List<String> arguments, String unit) {
        OptionalDouble[] best = bestOf(List.of(
                () -> KernelRun.numberBefore(KernelRun.run(2, program, arguments, Optional.of("shmdev")), unit),
                () -> KernelRun.numberBefore(KernelRun.run(2, program, arguments, Optional.of("niodev")), unit)));
        ratio(SOCKETS_PAPER, claim, published, best[0], best[1], "a run has failed");
    }
}
