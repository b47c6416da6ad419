package org.galerna.launch;

import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;

/**
 * Main class of a JVM that runs one job, as described by its arguments (see {@link JobDescription#toArguments}), and
 * ends with the job's exit status. The report of a job that went wrong goes to the standard error output.
 */
public final class JobMain {
    /** How long the JVM may take to end, with hooks that the JDK or a library has registered. */
    private static final Duration PATIENCE_WITH_EXIT = Duration.ofSeconds(3);

    private static final byte[] OUT_OF_MEMORY =
            "galerna: the ranks have used up the memory of their JVM; -Xmx gives them more, e.g. -Xmx4g\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private JobMain() {}

    /** Runs the job and ends the JVM. */
    public static void main(String[] arguments) {
        JobDescription description = JobDescription.fromArguments(List.of(arguments));
        try {
            run(description);
        } catch (OutOfMemoryError full) {
            // the ranks have left nothing for the end of the job either, and do not stop to take
            System.err.writeBytes(OUT_OF_MEMORY);
            Runtime.getRuntime().halt(ExitStatus.FAILED);
        }
    }

    private static void run(JobDescription description) {
        description.parent().ifPresent(JobMain::endWithParent);
        // programs look up where they are from
        System.setProperty(
                "java.class.path",
                description.classPath() + File.pathSeparator + System.getProperty("java.class.path", ""));
        ThreadJob job = description.toJob();
        CountDownLatch done = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(job, done), "galerna-interrupt"));
        JobResult result = job.run();
        print(result);
        done.countDown();
        if (result.outcome() instanceof Outcome.Failed failed && failed.exception() instanceof OutOfMemoryError) {
            // there is no memory for an exit in order either
            Runtime.getRuntime().halt(result.status());
        }
        exit(result.status());
    }

    /** A signal ends the JVM in the middle of the job: the hook lets the job end in order. */
    private static void interrupt(ThreadJob job, CountDownLatch done) {
        if (!job.interrupt()) {
            return;
        }
        try {
            boolean unused = done.await(PATIENCE_WITH_EXIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private static void print(JobResult result) {
        PrintStream err = System.err;
        String report = result.report();
        err.print(err.charset().newEncoder().canEncode(report) ? report : report.replace("\u2192", "->"));
        err.flush();
    }

    private static void exit(int status) {
        Thread watchdog = new Thread(
                () -> {
                    try {
                        Thread.sleep(PATIENCE_WITH_EXIT);
                    } catch (InterruptedException hurry) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(status);
                },
                "galerna-exit");
        watchdog.setDaemon(true);
        watchdog.start();
        System.exit(status);
    }

    /** If the process that has started this one is killed, nobody is left who could end the job. */
    private static void endWithParent(long parent) {
        Optional<ProcessHandle> handle = ProcessHandle.current().parent().filter(process -> process.pid() == parent);
        if (handle.isEmpty()) {
            Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
        } else {
            CompletableFuture<?> unused = handle.get().onExit().thenRun(() -> System.exit(ExitStatus.INTERRUPTED));
        }
    }
}
