package org.galerna.cli.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.SuiteListener;
import org.galerna.bench.suite.Task;
import org.galerna.cli.options.Sizes;
import org.galerna.cli.usage.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code galerna bench}: measurements. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Measures. Compare the figures of one run with each other, not with those of another run.",
        subcommands = {
            BenchCommand.Latency.class,
            BenchCommand.Bandwidth.class,
            BenchCommand.Bibandwidth.class,
            BenchCommand.Rate.class,
            BenchCommand.Collectives.class,
            BenchCommand.Overlap.class,
            BenchCommand.Memory.class,
            BenchCommand.All.class,
            BenchCommand.PingPong.class,
            MessagingCommand.class,
            SocketBenchCommand.class,
            StartCommand.class,
            EvaluationCommand.class,
            ReportCommand.class
        })
public final class BenchCommand implements Callable<Integer> {
    @Option(
            names = "--baseline",
            paramLabel = "JAR",
            description =
                    "compare with this older galerna.jar; without a benchmark, the same as \"all --quick --baseline JAR\"")
    private @Nullable Path baseline;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (baseline != null) {
            return Objects.requireNonNull(spec.subcommands().get("all"))
                    .execute("--quick", "--baseline", baseline.toString());
        }
        throw new ParameterException(
                spec.commandLine(),
                "the benchmark is missing: choose one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }

    /** {@code galerna bench latency}. */
    @Command(
            name = "latency",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "Measures half of the round trip between two ranks, with percentiles of single round trips. Compares with the "
                            + "limits of the machine: a cache line between two cores, and an array copy by one core.")
    static final class Latency extends MeasureCommand {
        @Mixin
        private final LevelOptions level = new LevelOptions();

        @Override
        List<Task> tasks() {
            return latency(level.levels(1), options().sizes(ALL_SIZES));
        }
    }

    /** {@code galerna bench bandwidth}. */
    @Command(
            name = "bandwidth",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Measures windows of messages from one rank to another; each window is acknowledged.")
    static final class Bandwidth extends MeasureCommand {
        @Mixin
        private final LevelOptions level = new LevelOptions();

        @Mixin
        private final StreamOptions stream = new StreamOptions();

        @Override
        List<Task> tasks() {
            return stream(Benchmark.BANDWIDTH, level.levels(1), options().sizes(ALL_SIZES), stream.window());
        }
    }

    /** {@code galerna bench bibandwidth}. */
    @Command(
            name = "bibandwidth",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Measures windows of messages between two ranks, both ways at once, and adds both ways up.")
    static final class Bibandwidth extends MeasureCommand {
        @Mixin
        private final LevelOptions level = new LevelOptions();

        @Mixin
        private final StreamOptions stream = new StreamOptions();

        @Override
        List<Task> tasks() {
            return stream(Benchmark.BIBANDWIDTH, level.levels(1), options().sizes(ALL_SIZES), stream.window());
        }
    }

    /** {@code galerna bench rate}. */
    @Command(
            name = "rate",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "Measures messages per second from half of the ranks to the other half, of 8 bytes unless you give --sizes.")
    static final class Rate extends MeasureCommand {
        @Mixin
        private final LevelOptions level = new LevelOptions();

        @Mixin
        private final StreamOptions stream = new StreamOptions();

        @Mixin
        private final RateOptions rate = new RateOptions();

        @Override
        List<Task> tasks() {
            return rate(level.levels(rate.threads()), options().sizes(RATE_SIZES), stream.window(), rate.pairs());
        }
    }

    /** {@code galerna bench collectives}. */
    @Command(
            name = "collectives",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "Measures collective operations one after the other, on the slowest rank. Sizes count as in the OSU "
                            + "benchmarks: the block of one rank, or the whole vector where sums are built.")
    static final class Collectives extends MeasureCommand {
        @Mixin
        private final CollectiveOptions collective = new CollectiveOptions();

        @Mixin
        private final RanksOptions ranks = new RanksOptions();

        @Override
        List<Task> tasks() {
            return collectives(collective.operations(), ranks.ranks(), options().sizes(COLLECTIVE_SIZES));
        }
    }

    /** {@code galerna bench overlap}. */
    @Command(
            name = "overlap",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "Measures how much of a non-blocking exchange goes on during a computation that takes as long.")
    static final class Overlap extends MeasureCommand {
        @Override
        List<Task> tasks() {
            return overlap(options().sizes(OVERLAP_SIZES));
        }
    }

    /** {@code galerna bench memory}. */
    @Command(
            name = "memory",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "Measures the bytes allocated for a blocking message, and the memory of a process with all ranks.")
    static final class Memory extends MeasureCommand {
        @Mixin
        private final LevelOptions level = new LevelOptions();

        @Mixin
        private final RanksOptions ranks = new RanksOptions();

        @Override
        List<Task> tasks() {
            return memory(level.levels(1), ranks.ranks(), options().sizes(ALLOCATION_SIZES));
        }
    }

    /** {@code galerna bench all}. */
    @Command(
            name = "all",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "Runs all benchmarks, each with its own sizes unless you give --sizes. With --baseline and --quick: compares "
                            + "what programs use most with an older build, between threads and between processes, messaging and sockets "
                            + "too, in less than five minutes.")
    static final class All extends MeasureCommand {
        @Mixin
        private final LevelOptions level = new LevelOptions();

        @Mixin
        private final StreamOptions stream = new StreamOptions();

        @Mixin
        private final RateOptions rate = new RateOptions();

        @Mixin
        private final CollectiveOptions collective = new CollectiveOptions();

        @Mixin
        private final RanksOptions ranks = new RanksOptions();

        @Override
        List<Task> tasks() {
            if (options().isShortComparison()) {
                return ShortComparison.tasks();
            }
            List<ContenderFactory> levels = level.levels(1);
            int window = stream.window();
            return Stream.of(
                            latency(levels, options().sizes(ALL_SIZES)),
                            stream(Benchmark.BANDWIDTH, levels, options().sizes(ALL_SIZES), window),
                            stream(Benchmark.BIBANDWIDTH, levels, options().sizes(ALL_SIZES), window),
                            rate(
                                    rate.threads() == 1 ? levels : level.levels(rate.threads()),
                                    options().sizes(RATE_SIZES),
                                    window,
                                    rate.pairs()),
                            overlap(options().sizes(OVERLAP_SIZES)),
                            memory(levels, ranks.ranks(), options().sizes(ALLOCATION_SIZES)),
                            collectives(
                                    collective.operations(),
                                    ranks.ranks(),
                                    options().sizes(COLLECTIVE_SIZES)))
                    .flatMap(List::stream)
                    .toList();
        }
    }

    /** {@code galerna bench pingpong}. */
    @Command(
            name = "pingpong",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "A first look, in less than half a minute: half of the round trip between two ranks, next to TCP "
                            + "and UNIX sockets.")
    static final class PingPong extends MeasureCommand {
        private static final List<Long> SIZES = Sizes.parse("--sizes", "1,1K,64K,1M");
        private static final List<String> SOCKETS = List.of("sockets", "unix");

        @Override
        Suite suite(SuiteListener listener) {
            return options().quick()
                    ? super.suite(listener)
                    : Suite.brisk(options().repetitions(), listener);
        }

        @Override
        List<Task> tasks() {
            List<ContenderFactory> contenders = Stream.of(
                            Stream.of(GalernaSystems.mpi(1)),
                            options().peers().stream(),
                            ContenderFactory.peers().stream()
                                    .filter(peer -> SOCKETS.contains(peer.name()) && !isCompared(peer)))
                    .flatMap(each -> each)
                    .toList();
            return List.of(new Task(Benchmark.LATENCY, PAIR, options().sizes(SIZES), 0, contenders));
        }

        private boolean isCompared(ContenderFactory peer) {
            return options().peers().stream().anyMatch(each -> each.name().equals(peer.name()));
        }
    }
}
