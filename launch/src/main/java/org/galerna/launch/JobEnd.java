package org.galerna.launch;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;

/** Runs a job in a JVM that has nothing else to do: prints the report, and ends the JVM with the job's status. */
public final class JobEnd {
    /** How long the JVM may take to end, with hooks that the JDK or a library has registered. */
    private static final Duration PATIENCE_WITH_EXIT = Duration.ofSeconds(3);

    private JobEnd() {}

    /** Runs the job and ends the JVM. A signal interrupts the job, and the JVM waits for it as long as the job says. */
    public static void run(Job job) {
        CountDownLatch done = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(job, done), "galerna-interrupt"));
        JobResult result;
        try {
            result = job.run();
            print(result);
        } finally {
            done.countDown();
        }
        if (result.outcome() instanceof Outcome.Failed failed && failed.exception() instanceof OutOfMemoryError) {
            // there is no memory for an exit in order either
            Runtime.getRuntime().halt(result.status());
        }
        exit(result.status());
    }

    /** A signal ends the JVM in the middle of the job: the hook lets the job end in order, also one that is ending already. */
    private static void interrupt(Job job, CountDownLatch done) {
        boolean ignored = job.interrupt();
        try {
            boolean unused = done.await(job.patience().toMillis(), TimeUnit.MILLISECONDS);
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
                        Pause.ofNanos(PATIENCE_WITH_EXIT.toNanos());
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
}
