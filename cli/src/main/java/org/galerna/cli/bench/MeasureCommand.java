package org.galerna.cli.bench;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.report.Report;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.ThisMachine;
import org.galerna.bench.report.Trial;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ConsoleListener;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.SuiteListener;
import org.galerna.bench.suite.Task;
import org.galerna.cli.options.Sizes;
import org.galerna.cli.usage.TypedCommand;
import org.galerna.cli.usage.Version;
import org.galerna.launch.report.ExitStatus;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that runs tasks of the suite, prints their tables and writes the report. */
abstract class MeasureCommand implements Callable<Integer> {
    static final int PAIR = 2;
    static final List<Long> ALL_SIZES = Sizes.parse("--sizes", "1..4M");
    static final List<Long> COLLECTIVE_SIZES = Sizes.parse("--sizes", "8,64,512,4K,32K,256K,1M");
    static final List<Long> OVERLAP_SIZES = Sizes.parse("--sizes", "8,1K,16K,64K,256K,1M,4M");
    static final List<Long> ALLOCATION_SIZES = Sizes.parse("--sizes", "1,8,64,1K,4K");
    static final List<Long> RATE_SIZES = List.of(8L);
    private static final List<Long> NO_SIZE = List.of(0L);

    @Mixin
    private final MeasureOptions options = new MeasureOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** What is to be measured. */
    abstract List<Task> tasks();

    /** How the tasks are run. */
    Suite suite(SuiteListener listener) {
        return new Suite(options.quick(), options.repetitions(), listener);
    }

    final MeasureOptions options() {
        return options;
    }

    @Override
    public final Integer call() {
        options.check();
        Instant begun = Instant.now();
        Optional<BaselineRun> baseline = options.baseline().map(BaselineRun::of);
        List<Task> tasks = tasks();
        Suite.Outcome outcome = baseline.isPresent()
                ? baseline.get().run(options.quick(), options.repetitions(), tasks, System.out)
                : suite(new ConsoleListener(System.out)).run(tasks);
        outcome.notes().forEach(note -> System.err.println("note: " + note));
        Report report = new Report(
                options.title(),
                begun,
                TypedCommand.of(spec),
                ThisMachine.describe(),
                versions(outcome.results(), baseline),
                Trial.notes(options.isTrial(), outcome.notes()),
                outcome.results());
        options.files().write(report);
        boolean measured =
                outcome.results().stream().anyMatch(result -> result.system().equals(GalernaSystems.GALERNA));
        boolean good = measured && (baseline.isEmpty() || BaselineRun.isNowhereWorse(outcome.results()));
        return good ? ExitStatus.OK : ExitStatus.FAILED;
    }

    /** Versions of what was measured. */
    private SortedMap<String, String> versions(List<Result> results, Optional<BaselineRun> baseline) {
        SortedMap<String, String> versions = new TreeMap<>();
        versions.put(GalernaSystems.GALERNA, Version.ofGalerna());
        baseline.ifPresent(run -> versions.put(GalernaBuild.BASELINE, run.version()));
        options.peers().stream()
                .filter(peer -> !peer.version().isEmpty())
                .filter(peer ->
                        results.stream().anyMatch(result -> result.system().equals(peer.name())))
                .forEach(peer -> versions.put(peer.name(), peer.version()));
        return versions;
    }

    // ---- the tasks that several commands have

    final List<Task> latency(List<ContenderFactory> levels, List<Long> sizes) {
        return List.of(new Task(Benchmark.LATENCY, PAIR, sizes, 0, contenders(levels, limits())));
    }

    final List<Task> stream(Benchmark benchmark, List<ContenderFactory> levels, List<Long> sizes, int window) {
        List<ContenderFactory> limits =
                benchmark == Benchmark.BANDWIDTH ? List.of(GalernaSystems.arrayCopy()) : List.of();
        return List.of(new Task(benchmark, PAIR, sizes, window, contenders(levels, limits)));
    }

    final List<Task> rate(List<ContenderFactory> levels, List<Long> sizes, int window, int pairs) {
        return List.of(new Task(Benchmark.RATE, pairs * PAIR, sizes, window, contenders(levels, List.of())));
    }

    final List<Task> collectives(List<Benchmark> operations, List<Integer> ranks, List<Long> sizes) {
        List<ContenderFactory> contenders = contenders(List.of(GalernaSystems.mpi(1)), List.of());
        return ranks.stream()
                .flatMap(number -> operations.stream()
                        .map(operation -> new Task(
                                operation, number, operation == Benchmark.BARRIER ? NO_SIZE : sizes, 0, contenders)))
                .toList();
    }

    final List<Task> overlap(List<Long> sizes) {
        return List.of(new Task(Benchmark.OVERLAP, PAIR, sizes, 0, List.of(GalernaSystems.mpi(1))));
    }

    final List<Task> memory(List<ContenderFactory> levels, List<Integer> ranks, List<Long> sizes) {
        Stream<Task> allocation = Stream.of(new Task(Benchmark.ALLOCATION, PAIR, sizes, 0, levels));
        Stream<Task> resident = ranks.stream().map(number -> new Task(Benchmark.RESIDENT, number, NO_SIZE, 0, levels));
        return Stream.concat(allocation, resident).toList();
    }

    private static List<ContenderFactory> limits() {
        return List.of(GalernaSystems.cacheLine(), GalernaSystems.arrayCopy());
    }

    private List<ContenderFactory> contenders(List<ContenderFactory> levels, List<ContenderFactory> limits) {
        return Stream.of(levels, options.peers(), limits).flatMap(List::stream).toList();
    }
}
