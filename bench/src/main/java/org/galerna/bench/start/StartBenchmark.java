package org.galerna.bench.start;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.galerna.bench.peers.GalernaProgram;
import org.galerna.bench.report.Samples;
import org.galerna.bench.start.StartFigures.Compilers;
import org.galerna.bench.start.StartFigures.Mixed;
import org.galerna.bench.start.StartFigures.Point;
import org.galerna.bench.start.StartFigures.Start;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.ProgramCommand;
import org.galerna.link.process.TemporaryFolder;
import org.jspecify.annotations.Nullable;

/**
 * Measures the first seconds of programs: every system runs the same program, in turns, each time in new processes. Once per
 * object; not thread-safe.
 */
public final class StartBenchmark {
    /** Ends of the times since {@code Init} that figures are given for, in milliseconds. */
    static final List<Integer> UNTIL = List.of(100, 300, 1000, 3000, 10_000);

    private static final int PAIR = 2;
    private static final int WINDOW = 64;

    /** Batches of a kind in one round of the mixed program. */
    private static final int ROUND = 20;

    private static final long TWO_SECONDS = 2_000_000;
    private static final long SIX_SECONDS = 6_000_000;
    private static final double POINTS_A_DECADE = 10;
    private static final long FIRST_POINT = 20_000;
    private static final int MILLIS = 1000;
    private static final int MINUTES = 5;
    private static final int QUOTED_LINES = 5;

    /**
     * What to do.
     *
     * @param peers systems beside Galerna
     * @param ranks numbers of ranks whose start is measured
     * @param repetitions how often each program runs on each system
     * @param seconds that a loop lasts
     * @param rounds of the mixed program; 0 for a few operations of each kind
     */
    public record Options(List<ContenderFactory> peers, List<Integer> ranks, int repetitions, int seconds, int rounds) {
        /** Copies the lists. */
        public Options {
            peers = List.copyOf(peers);
            ranks = List.copyOf(ranks);
        }
    }

    /** What was found, with notes on what could not be measured. */
    public record Outcome(List<StartFigures> systems, List<String> notes) {
        /** Copies the lists. */
        public Outcome {
            systems = List.copyOf(systems);
            notes = List.copyOf(notes);
        }
    }

    /** A system that runs the program. */
    private record Runner(String name, boolean isGalerna, Starter starter) {}

    /** How its program is started. */
    @FunctionalInterface
    private interface Starter {
        ProgramCommand command(int ranks, List<String> options, List<String> arguments);
    }

    private final Options options;
    private final Consumer<String> progress;
    private final List<String> notes = new ArrayList<>();
    private final Map<String, List<StartTrace>> traces = new LinkedHashMap<>();

    /**
     * A benchmark.
     *
     * @param progress is told what runs
     */
    public StartBenchmark(Options options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Measures all systems on the calling thread. */
    public Outcome run() {
        List<Runner> runners = runners().stream().filter(this::runs).toList();
        for (int repetition = 1; repetition <= options.repetitions; repetition++) {
            for (Runner runner : runners) {
                progress.accept(runner.name + ": " + repetition + " of " + options.repetitions);
                for (int ranks : options.ranks) {
                    run(runner, ranks, List.of("first"));
                }
                run(runner, PAIR, List.of("loop", Integer.toString(options.seconds)));
                run(runner, PAIR, List.of("rate", Integer.toString(options.seconds)));
                run(runner, PAIR, mixed());
            }
        }
        return new Outcome(runners.stream().map(this::figures).toList(), notes);
    }

    /** Runs the program once for nothing: what is made at the first start, such as a cache, is not part of the others. */
    private boolean runs(Runner runner) {
        try {
            StartTrace unused = run(runner.starter.command(PAIR, List.of(), List.of("first")));
            return true;
        } catch (ContenderException failed) {
            notes.add(runner.name + " is left out: " + failed.getMessage());
            return false;
        }
    }

    private List<String> mixed() {
        return List.of("mixed", Integer.toString(options.rounds));
    }

    private List<Runner> runners() {
        GalernaProgram galerna = new GalernaProgram();
        List<Runner> runners = new ArrayList<>();
        runners.add(new Runner("galerna threads", true, galerna::command));
        runners.add(new Runner(
                "galerna processes",
                true,
                (ranks, jvm, arguments) -> galerna.command(
                        ranks, Stream.concat(Stream.of("--procs"), jvm.stream()).toList(), arguments)));
        for (ContenderFactory peer : options.peers) {
            if (peer.unavailable().isPresent()) {
                notes.add(peer.name() + " is left out: " + peer.unavailable().get());
            } else {
                runners.add(
                        new Runner(peer.name(), false, (ranks, jvm, arguments) -> peer.startProgram(ranks, arguments)));
            }
        }
        return runners;
    }

    private static String key(Runner runner, int ranks, String program) {
        return runner.name + '/' + program + '/' + ranks;
    }

    private List<StartTrace> traces(Runner runner, int ranks, String program) {
        return traces.getOrDefault(key(runner, ranks, program), List.of());
    }

    private void run(Runner runner, int ranks, List<String> arguments) {
        try {
            StartTrace trace = run(runner.starter.command(ranks, List.of(), arguments));
            traces.computeIfAbsent(key(runner, ranks, arguments.getFirst()), any -> new ArrayList<>())
                    .add(trace);
        } catch (ContenderException failed) {
            note(runner, ranks, arguments, failed);
        }
    }

    private void note(Runner runner, int ranks, List<String> arguments, ContenderException failed) {
        String note = "%s, program \"%s\" on %d ranks: %s"
                .formatted(runner.name, arguments.getFirst(), ranks, failed.getMessage());
        if (!notes.contains(note)) {
            notes.add(note);
        }
    }

    private static StartTrace run(ProgramCommand command) {
        try (TemporaryFolder folder = TemporaryFolder.make("start").untilEnd()) {
            Path output = folder.path().resolve("out");
            ProcessBuilder builder = new ProcessBuilder(command.words())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(command.environment());
            long launched = System.currentTimeMillis();
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new ContenderException("it has not ended within " + MINUTES + " minutes");
            }
            long ended = System.currentTimeMillis();
            List<String> lines = Files.readAllLines(output, StandardCharsets.ISO_8859_1);
            if (process.exitValue() != 0) {
                throw new ContenderException("it has failed: "
                        + String.join(" / ", lines.stream().limit(QUOTED_LINES).toList()));
            }
            return StartTrace.parse(lines, launched, ended);
        } catch (IOException cannotStart) {
            throw new ContenderException("it cannot be run: " + cannotStart.getMessage(), cannotStart);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ContenderException("the measurement was interrupted", interrupted);
        }
    }

    private StartFigures figures(Runner runner) {
        List<StartTrace> loops = traces(runner, PAIR, "loop");
        List<StartTrace> rates = traces(runner, PAIR, "rate");
        List<StartTrace> mixed = traces(runner, PAIR, "mixed");
        Map<String, Double> steady = new LinkedHashMap<>();
        mixed.stream()
                .limit(1)
                .flatMap(trace -> trace.kinds().stream())
                .forEach(kind -> steady.put(
                        kind, median(mixed, trace -> trace.steady(kind, ROUND).orElse(Double.NaN) / MILLIS)));
        return new StartFigures(
                runner.name,
                options.ranks.stream()
                        .map(ranks -> {
                            List<StartTrace> first = traces(runner, ranks, "first");
                            return new Start(ranks, median(first, StartTrace::first), median(first, StartTrace::total));
                        })
                        .toList(),
                byTime(loops, StartBenchmark::latency),
                byTime(rates, nanos -> WINDOW * (double) MILLIS / nanos),
                new Mixed(
                        median(
                                mixed,
                                trace -> trace.slowdown(TWO_SECONDS, ROUND).orElse(Double.NaN)),
                        median(
                                mixed,
                                trace -> trace.slowdown(SIX_SECONDS, ROUND).orElse(Double.NaN)),
                        median(mixed, StartTrace::seconds),
                        steady),
                curve(loops),
                runner.isGalerna ? compilers(runner, mixed) : null);
    }

    /** Microseconds of half of a round trip. */
    private static double latency(double nanosOfRoundTrip) {
        return nanosOfRoundTrip / 2 / MILLIS;
    }

    private Map<String, Double> byTime(List<StartTrace> loops, Function<Double, Double> figure) {
        Map<String, Double> figures = new LinkedHashMap<>();
        int from = 0;
        for (int until : UNTIL) {
            if (from < options.seconds * MILLIS) {
                long start = from * (long) MILLIS;
                double nanos = median(
                        loops,
                        trace -> trace.nanos(start, until * (long) MILLIS).orElse(Double.NaN));
                figures.put(Double.toString(until / (double) MILLIS), figure.apply(nanos));
            }
            from = until;
        }
        return figures;
    }

    private List<Point> curve(List<StartTrace> loops) {
        List<Point> curve = new ArrayList<>();
        double from = FIRST_POINT / 2.0;
        for (double to = FIRST_POINT; from < options.seconds * 1e6; to *= Math.pow(10, 1 / POINTS_A_DECADE)) {
            long start = (long) from;
            long end = (long) to;
            double nanos = median(loops, trace -> trace.nanos(start, end).orElse(Double.NaN));
            if (Double.isFinite(nanos)) {
                curve.add(new Point(Math.sqrt(from * to) / 1e6, latency(nanos)));
            }
            from = to;
        }
        return curve;
    }

    /** A run of its own, because the log takes time. */
    private @Nullable Compilers compilers(Runner runner, List<StartTrace> mixed) {
        progress.accept(runner.name + ": what the compilers do");
        try (TemporaryFolder made = TemporaryFolder.make("jit").untilEnd()) {
            Path folder = made.path();
            StartTrace trace = run(runner.starter.command(
                    PAIR, List.of("-J" + CompilerLog.OPTION + folder.resolve("%p.log") + ":uptime"), mixed()));
            double second = (trace.initialized() - trace.jvm()) / MILLIS + 1;
            CompilerLog most = null;
            try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.log")) {
                for (Path file : logs) {
                    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
                        CompilerLog log = new CompilerLog(lines, second);
                        most = most == null || log.compiled() > most.compiled() ? log : most;
                    }
                }
            }
            return most == null
                    ? null
                    : new Compilers(
                            median(mixed, StartTrace::compilers),
                            most.compiled(),
                            most.discarded(),
                            most.discardedLater());
        } catch (IOException | ContenderException failed) {
            notes.add(runner.name + ": what the compilers did is not known: " + failed.getMessage());
            return null;
        }
    }

    private static double median(List<StartTrace> runs, ToDoubleFunction<StartTrace> figure) {
        Samples samples = new Samples();
        runs.stream().mapToDouble(figure).filter(Double::isFinite).forEach(samples::add);
        return samples.count() == 0 ? Double.NaN : samples.median();
    }
}
