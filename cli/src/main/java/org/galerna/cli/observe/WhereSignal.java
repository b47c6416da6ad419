package org.galerna.cli.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.launch.Pause;
import org.galerna.link.counters.JobReport;
import org.galerna.nativeaccess.library.JavaSignals;

/**
 * The report of {@code galerna where} when this process gets a signal. It is not SIGQUIT, which the virtual machine keeps for
 * itself, and not SIGUSR2, by which it stops threads.
 */
public final class WhereSignal {
    private static final String NAME = "USR1";

    private WhereSignal() {}

    /**
     * Soon the signal asks where the ranks are that this process has started, or that are its threads. Not at once: a handler
     * costs a tenth of a second of computing, which ranks need when they start.
     */
    public static void listen() {
        Thread.ofPlatform().name("galerna-signals").daemon().start(() -> {
            try {
                Pause.ofNanos(TimeUnit.SECONDS.toNanos(1));
                JavaSignals.handle(NAME, WhereSignal::report);
            } catch (ReflectiveOperationException absent) {
                return; // a run-time image without module jdk.unsupported: the signal ends the process, as ever
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static synchronized void report() {
        try {
            List<JobReport> jobs = own();
            if (jobs.isEmpty()) {
                System.err.println("galerna: no rank has joined the job yet");
            }
            for (JobReport job : jobs) {
                Where where = Where.of(job);
                System.err.print(where.text());
                where.silent().forEach(System.err::println);
            }
        } catch (IOException | UncheckedIOException unreadable) {
            System.err.println("galerna: nobody knows where the ranks are: " + unreadable.getMessage());
        }
    }

    private static List<JobReport> own() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        Set<Long> processes = Stream.concat(Stream.of(self), self.descendants())
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
        return JobReport.all().stream()
                .filter(job -> !job.isService() && job.isAlive())
                .filter(job -> job.processes().stream().anyMatch(processes::contains))
                .toList();
    }
}
