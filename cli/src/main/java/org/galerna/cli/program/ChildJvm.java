package org.galerna.cli.program;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.galerna.cli.usage.UsageException;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.JobDescription;
import org.galerna.launch.JobMain;
import org.galerna.launch.ProcessStart;
import org.galerna.launch.process.AotCache;
import org.galerna.launch.process.CacheChoice;
import org.galerna.launch.report.ExitStatus;

/** Runs a job in a JVM of its own, with the streams of this one. */
public final class ChildJvm {
    /** How long the child may take to end in good order once this process is told to end. */
    private static final long PATIENCE_SECONDS = 5;

    private ChildJvm() {}

    /**
     * Runs a job and waits for it.
     *
     * @param afterwards to be done when the child has ended, however that is
     * @return exit status of the child
     */
    public static int run(List<String> jvmOptions, Path folder, JobDescription job, Runnable afterwards)
            throws InterruptedException {
        List<String> command = GalernaJvm.ofThreads(job.ranks(), jvmOptions);
        CacheChoice cache = AotCache.ofThreads(jvmOptions);
        if (CacheChoice.isToldTo(jvmOptions)) {
            System.err.println("galerna: " + cache.words());
        }
        command.addAll(1, cache.options(jvmOptions));
        command.add(JobMain.class.getName());
        command.addAll(job.toArguments());
        return await(command, folder, Duration.ZERO, afterwards);
    }

    /**
     * Runs a command and waits for it.
     *
     * @param limit the longest that it may take; zero for no limit
     * @param afterwards to be done when the child has ended, however that is
     * @return exit status of the child
     */
    public static int await(List<String> command, Path folder, Duration limit, Runnable afterwards)
            throws InterruptedException {
        Process child;
        try {
            child = start(new ProcessBuilder(command).directory(folder.toFile()).inheritIO());
        } catch (UsageException impossible) {
            afterwards.run();
            throw impossible;
        }
        // at every end of this process: Java runs the hooks of an exit, too
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            end(child);
                            afterwards.run();
                        },
                        "galerna-end-child"));
        if (limit.isZero() || child.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return child.waitFor();
        }
        System.err.println("galerna: the job has not ended within " + limit.toMillis() / 1000.0 + " s");
        end(child);
        return ExitStatus.TIMEOUT;
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return ProcessStart.start(builder);
        } catch (IOException impossible) {
            throw new UsageException(String.valueOf(impossible.getMessage()));
        }
    }

    /** A signal to this process is one to the job. Ctrl-C reaches the child by itself, and this does no harm then. */
    private static void end(Process child) {
        child.destroy();
        try {
            if (!child.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                child.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            child.destroyForcibly();
        }
    }
}
