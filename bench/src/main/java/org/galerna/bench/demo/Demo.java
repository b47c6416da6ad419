package org.galerna.bench.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.galerna.applications.Progress;
import org.galerna.applications.fdtd.Fdtd;
import org.galerna.applications.fdtd.FieldFile;
import org.galerna.applications.fdtd.ParameterException;
import org.galerna.applications.fdtd.Parameters;
import org.galerna.applications.fdtd.ReferenceRun;
import org.galerna.applications.fdtd.RunSummary;
import org.galerna.applications.fdtd.Simulation;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.SuiteListener;
import org.galerna.bench.suite.Task;
import org.galerna.launch.BindTo;
import org.galerna.launch.Job;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.process.ProcessJob;
import org.galerna.launch.report.JobResult;
import org.galerna.link.process.TemporaryFolder;
import org.galerna.memory.Cpus;

/**
 * Simulates a wave on several numbers of ranks, threads of this JVM or processes, checks each result against the sequential one bit for bit,
 * and compares the latency of the ranks' messages with that of sockets. Once per object; not thread-safe.
 */
public final class Demo {
    private static final int FAILED = 1;
    private static final int WRONG_PARAMETERS = 2;
    private static final int QUICK_STEPS = 60;
    private static final double WARM_UP_SECONDS = 0.4;
    private static final List<Long> LATENCY_SIZES = List.of(1L, 1024L, 65536L, 1L << 20);
    private static final int REPETITIONS = 20;
    private static final List<String> SOCKETS = List.of("sockets", "unix");

    private final DemoOptions options;
    private final PrintStream output;

    /**
     * A demonstration.
     *
     * @param output where the report goes; progress goes to standard error
     */
    public Demo(DemoOptions options, PrintStream output) {
        this.options = options;
        this.output = output;
    }

    /** Runs, and reports on standard output; returns the exit status as {@link #run()} does. */
    public static int run(DemoOptions options) {
        return new Demo(options, System.out).run();
    }

    /**
     * Runs.
     *
     * @return exit status: 0; 1 if a run failed or differed from the sequential one; 2 if the parameters are wrong
     * @throws UncheckedIOException if the output folder cannot be written
     */
    public int run() {
        try {
            Files.createDirectories(options.outputFolder());
            try (TemporaryFolder scratch =
                    TemporaryFolder.makeHidden(options.outputFolder(), "runs").untilEnd()) {
                return runIn(scratch.path());
            }
        } catch (ParameterException wrong) {
            System.err.println("galerna demo: " + wrong.getMessage());
            return WRONG_PARAMETERS;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write to " + options.outputFolder(), failure);
        }
    }

    private int runIn(Path scratch) throws IOException {
        Path parameterFile = options.parameterFile().isPresent()
                ? options.parameterFile().get()
                : Harbour.unpack(options.outputFolder());
        Simulation simulation = Simulation.read(parameterFile);
        if (options.frames() > simulation.parameters().steps()) {
            throw new ParameterException("--frames takes a number to "
                    + simulation.parameters().steps() + " here, one for each step, not " + options.frames());
        }
        if (options.quick()) {
            simulation = simulation.withSteps(
                    Math.min(QUICK_STEPS, simulation.parameters().steps()));
        }
        output.println(describe(simulation));
        output.flush();

        Path expectedEnergy = scratch.resolve("sequential.csv");
        ReferenceRun reference = ReferenceRun.run(simulation, expectedEnergy, Progress.Mode.AUTO, warmUpSeconds());
        List<CheckedRun> runs = new ArrayList<>();
        for (int index = 0; index < options.ranks().size(); index++) {
            boolean last = index == options.ranks().size() - 1;
            Path folder = last ? options.outputFolder() : scratch.resolve("run");
            int frames = last ? options.frames() : 0;
            Path fieldFile = scratch.resolve("field.bin");
            JobResult result = runJob(
                    options.ranks().get(index),
                    arguments(parameterFile, simulation.parameters().steps(), folder, frames, fieldFile));
            if (result.status() != 0) {
                System.err.print(result.report());
                return result.status();
            }
            runs.add(check(folder, fieldFile, expectedEnergy, reference, simulation.parameters()));
        }
        report(reference, runs, measureLatencies());
        return runs.stream().allMatch(run -> run.difference().isEmpty()) ? 0 : FAILED;
    }

    private static String describe(Simulation simulation) {
        Parameters parameters = simulation.parameters();
        return String.format(
                Locale.ROOT,
                "A Ricker wavelet of %.4g Hz between perfectly conducting walls (%s):%n"
                        + "%d by %d cells of %.4g m, %d steps of %.4g s",
                parameters.source().wavelet().frequency(),
                simulation.name(),
                parameters.width(),
                parameters.height(),
                parameters.cellSize(),
                parameters.steps(),
                parameters.timeStep());
    }

    private double warmUpSeconds() {
        return options.quick() ? 0 : WARM_UP_SECONDS;
    }

    private List<String> arguments(Path parameterFile, int steps, Path folder, int frames, Path fieldFile) {
        List<String> arguments = new ArrayList<>(List.of(
                parameterFile.toString(),
                folder.toString(),
                "--steps",
                Integer.toString(steps),
                "--warm-up",
                Double.toString(warmUpSeconds()),
                "--field",
                fieldFile.toString()));
        if (frames > 0) {
            arguments.addAll(List.of("--frames", Integer.toString(frames)));
        }
        return arguments;
    }

    private JobResult runJob(int ranks, List<String> arguments) {
        // What the program prints is in the table; its progress goes to standard error.
        Job job = options.processes()
                .<Job>map(processes -> ofProcesses(processes, ranks, arguments))
                .orElseGet(() -> ofThreads(ranks, arguments));
        return job.run();
    }

    private static Job ofThreads(int ranks, List<String> arguments) {
        return ThreadJob.builder()
                .ranks(ranks)
                .mainClass(Fdtd.class.getName())
                .arguments(arguments)
                .bindTo(BindTo.AUTO)
                .standardInput(InputStream.nullInputStream())
                .standardOutput(OutputStream.nullOutputStream())
                .build();
    }

    private static Job ofProcesses(DemoOptions.Processes processes, int ranks, List<String> arguments) {
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(ranks)
                .classPath("")
                .mainClass(Fdtd.class.getName())
                .arguments(arguments)
                .ssh(processes.ssh())
                .standardInput(InputStream.nullInputStream())
                .standardOutput(OutputStream.nullOutputStream());
        if (!processes.hosts().isEmpty()) {
            job.hosts(processes.hosts());
        }
        return job.build();
    }

    private static CheckedRun check(
            Path folder, Path fieldFile, Path expectedEnergy, ReferenceRun reference, Parameters parameters)
            throws IOException {
        Optional<String> difference =
                FieldFile.firstDifference(fieldFile, reference.solver(), parameters.width(), parameters.height());
        if (difference.isEmpty()) {
            difference = firstDifferentLine(expectedEnergy, folder.resolve("energy.csv"));
        }
        return new CheckedRun(RunSummary.read(folder.resolve("run.properties")), difference);
    }

    private static Optional<String> firstDifferentLine(Path expected, Path actual) throws IOException {
        List<String> expectedLines = Files.readAllLines(expected);
        List<String> actualLines = Files.readAllLines(actual);
        for (int line = 0; line < Math.max(expectedLines.size(), actualLines.size()); line++) {
            String one = line < expectedLines.size() ? expectedLines.get(line) : "(nothing)";
            String other = line < actualLines.size() ? actualLines.get(line) : "(nothing)";
            if (!one.equals(other)) {
                return Optional.of("energy is " + other + " instead of " + one);
            }
        }
        return Optional.empty();
    }

    /** A ping-pong between two ranks and between sockets, in turns. */
    private Suite.Outcome measureLatencies() {
        List<ContenderFactory> contenders = Stream.concat(
                        Stream.of(GalernaSystems.mpi(1)),
                        ContenderFactory.peers().stream().filter(peer -> SOCKETS.contains(peer.name())))
                .toList();
        Suite suite = new Suite(options.quick(), options.quick() ? 2 : REPETITIONS, SuiteListener.NONE);
        return suite.run(
                List.of(new Task(Benchmark.LATENCY, 2, options.quick() ? List.of(1L) : LATENCY_SIZES, 0, contenders)));
    }

    private void report(ReferenceRun reference, List<CheckedRun> runs, Suite.Outcome latencies) throws IOException {
        String table = DemoReport.runs(reference.seconds(), runs)
                + DemoReport.notes(runs, options.processes().isEmpty() ? Cpus.available() : 0)
                + "\n"
                + DemoReport.latencies(latencies);
        Path tableFile = options.outputFolder().resolve("table.txt");
        Files.writeString(tableFile, table);
        output.println();
        output.println(table);
        output.println(" field at the end      " + options.outputFolder().resolve("field.png"));
        if (options.frames() > 0) {
            output.println(" animation             " + options.outputFolder().resolve("field.gif"));
            output.println(" its pictures          " + options.outputFolder().resolve("frame-0001.png") + " ...");
        }
        output.println(" energy over time      " + options.outputFolder().resolve("energy.csv"));
        output.println(" this table            " + tableFile);
        output.flush();
    }
}
