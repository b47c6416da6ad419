package org.galerna.cli.bench;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.report.Report;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.ThisMachine;
import org.galerna.bench.report.Trial;
import org.galerna.bench.sockets.SocketBenchmark;
import org.galerna.bench.sockets.SocketSystem;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.Task;
import org.galerna.cli.options.QuickOption;
import org.galerna.cli.options.Sizes;
import org.galerna.cli.usage.TypedCommand;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.report.ExitStatus;
import org.galerna.sockets.Agent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code galerna bench sockets}. */
@Command(
        name = "sockets",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Compares the sockets of Java with fast ones between two processes, in turns: round trips with the processes on "
                        + "separate cores, on one core and unbound, streams, arrays, HTTP, Netty and connections. Prints "
                        + "medians, ratios, and how many processors are busy.")
final class SocketBenchCommand implements Callable<Integer> {
    private static final int WARM_UP_MILLIS = 300;
    private static final int REPETITIONS = 20;

    @Mixin
    private final QuickOption quick = new QuickOption();

    @Mixin
    private BaselineOption baseline = new BaselineOption();

    @Mixin
    private final ReportFiles files = new ReportFiles();

    @Option(names = "--title", paramLabel = "TEXT", description = "title of this run in the report")
    private String title = "Galerna: sockets";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        files.check();
        Instant begun = Instant.now();
        if (baseline.file().isPresent()) {
            BaselineRun run = BaselineRun.of(baseline.file().get());
            Suite.Outcome outcome = run.run(quick.isGiven(), REPETITIONS, tasks(), System.out);
            outcome.notes().forEach(note -> System.err.println("note: " + note));
            write(begun, outcome.results(), outcome.notes(), Map.of(GalernaBuild.BASELINE, run.version()));
            return BaselineRun.isNowhereWorse(outcome.results()) ? ExitStatus.OK : ExitStatus.FAILED;
        }
        SocketBenchmark.Outcome outcome = SocketBenchmark.run(
                new SocketBenchmark.Options(
                        port -> Agent.javaOptions("exclude=" + port)
                                .orElseThrow(() -> new UsageException("this works from galerna.jar only")),
                        GalernaPath.classPath(),
                        quick.isGiven() ? 1 : WARM_UP_MILLIS,
                        quick.isGiven() ? 3 : 11,
                        quick.isGiven() ? 2 : 20),
                System.out);
        write(begun, outcome.results(), Trial.notes(quick.isGiven(), outcome.notes()), Map.of());
        return ExitStatus.OK;
    }

    /** Fast sockets, which are compared with those of the baseline, beside those of the platform. */
    private List<Task> tasks() {
        return List.of(
                task(Benchmark.ECHO, "8,64,1K,4K,16K,64K"),
                task(Benchmark.WRITES, "1K,8K,64K,1M"),
                task(Benchmark.ARRAYS_ECHO, "16,1K,64K"),
                task(Benchmark.ARRAYS, "1K,64K,1M"),
                task(Benchmark.CONNECT, "1"));
    }

    private Task task(Benchmark benchmark, String all) {
        List<Long> sizes = Sizes.parse("--sizes", all);
        return new Task(
                benchmark,
                MeasureCommand.PAIR,
                quick.isGiven() ? BaselineOption.few(sizes) : sizes,
                0,
                List.of(SocketSystem.fast(), SocketSystem.platform()));
    }

    private void write(Instant begun, List<Result> results, List<String> notes, Map<String, String> otherVersions) {
        SortedMap<String, String> versions = new TreeMap<>(otherVersions);
        versions.put(GalernaBuild.GALERNA, Version.ofGalerna());
        Report report =
                new Report(title, begun, TypedCommand.of(spec), ThisMachine.describe(), versions, notes, results);
        files.write(report);
    }
}
