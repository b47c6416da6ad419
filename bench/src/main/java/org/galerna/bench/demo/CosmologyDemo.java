package org.galerna.bench.demo;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.applications.cosmology.Cosmology;
import org.galerna.launch.BindTo;
import org.galerna.launch.Job;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.process.ProcessJob;
import org.galerna.launch.report.JobResult;
import org.galerna.memory.Cpus;

/** Lets a universe of particles grow old on ranks that are threads of this JVM or processes, and films it. */
public final class CosmologyDemo {
    private static final int MOST_RANKS = 8;
    private static final int QUICK_STEPS = 8;

    /**
     * What to do.
     *
     * @param ranks number of ranks; 0 for one on each processor
     * @param particles along the box, a power of two
     * @param frames number of pictures of the film
     * @param processes where to run ranks as processes; empty for ranks that are threads
     * @param quick a small part of the work, to see that everything runs
     */
    public record Options(
            Path outputFolder,
            int ranks,
            int particles,
            int frames,
            Optional<DemoOptions.Processes> processes,
            boolean quick) {}

    private CosmologyDemo() {}

    /**
     * Runs.
     *
     * @param output where the report goes; progress goes to standard error
     * @return exit status: 0; 1 if the energies do not follow their law; 2 if an option is wrong
     */
    public static int run(Options options, PrintStream output) {
        int ranks = options.ranks() > 0 ? options.ranks() : Math.min(MOST_RANKS, Cpus.available());
        List<String> arguments =
                new ArrayList<>(List.of("--output", options.outputFolder().toString()));
        if (options.quick()) {
            arguments.addAll(List.of(
                    "--particles", "16", "--start", "0.1", "--end", "0.15", "--steps", Integer.toString(QUICK_STEPS)));
        } else {
            arguments.addAll(List.of("--particles", Integer.toString(options.particles())));
        }
        int frames = options.quick() ? Math.min(QUICK_STEPS, options.frames()) : options.frames();
        arguments.addAll(List.of("--frames", Integer.toString(frames)));
        Job job = options.processes()
                .<Job>map(processes -> ofProcesses(processes, ranks, arguments))
                .orElseGet(() -> ofThreads(ranks, arguments));
        JobResult result = job.run();
        if (result.status() != 0) {
            System.err.print(result.report());
            return result.status();
        }
        output.println();
        output.println(" density at the end    " + options.outputFolder().resolve("density.png"));
        if (frames > 0) {
            output.println(" film                  " + options.outputFolder().resolve("cosmology.gif"));
        }
        output.println(" power spectra         " + options.outputFolder().resolve("power.csv"));
        output.flush();
        return 0;
    }

    private static Job ofThreads(int ranks, List<String> arguments) {
        return ThreadJob.builder()
                .ranks(ranks)
                .mainClass(Cosmology.class.getName())
                .arguments(arguments)
                .bindTo(BindTo.AUTO)
                .standardInput(InputStream.nullInputStream())
                .build();
    }

    private static Job ofProcesses(DemoOptions.Processes processes, int ranks, List<String> arguments) {
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(ranks)
                .classPath("")
                .mainClass(Cosmology.class.getName())
                .arguments(arguments)
                .ssh(processes.ssh())
                .standardInput(InputStream.nullInputStream());
        if (!processes.hosts().isEmpty()) {
            job.hosts(processes.hosts());
        }
        return job.build();
    }
}
