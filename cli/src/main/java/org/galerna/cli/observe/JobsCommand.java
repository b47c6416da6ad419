package org.galerna.cli.observe;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.galerna.cli.usage.Version;
import org.galerna.launch.report.ExitStatus;
import org.galerna.link.counters.JobReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code galerna jobs}: the jobs of this user on this host. */
@Command(
        name = "jobs",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Lists your jobs on this host, those that began last first, whatever started them. A job is starting, running, or "
                    + "blocked: all of its ranks here have waited for a second or longer. Nodes of messaging and processes with "
                    + "fast sockets are listed, too, without a number of ranks.",
            "Jobs that end in good order vanish from the list. Those that failed or were killed are listed as ended for an hour."
        })
public final class JobsCommand implements Callable<Integer> {
    private static final int MOST_PROCESSES = 2;
    private static final int WIDTH = Terminal.WIDTH;
    private static final int LEAST_COMMAND = 10;

    @Option(names = "--json", description = "print JSON, with all processes and whole commands")
    private boolean json;

    @Override
    public Integer call() {
        List<JobReport> jobs = JobChoice.all();
        if (json) {
            System.out.println(JobJson.list(jobs));
        } else if (jobs.isEmpty()) {
            System.out.println("You have no jobs on this host.");
        } else {
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %-8s %5s %-9s %-12s %-14s %s%n",
                    "ID",
                    "STATE",
                    "RANKS",
                    "DEVICE",
                    "SINCE",
                    "PID",
                    "COMMAND");
            jobs.forEach(job -> System.out.println(line(job)));
        }
        return ExitStatus.OK;
    }

    private static String line(JobReport job) {
        String fixed = String.format(
                Locale.ROOT,
                "%-8s %-8s %5s %-9s %-12s %-14s ",
                job.id(),
                JobState.of(job).word(),
                job.isService() ? "" : job.size(),
                job.ranks().getFirst().device(),
                Words.since(job.startMillis()),
                Words.few(job.processes(), MOST_PROCESSES));
        return fixed + Words.command(job.ranks().getFirst().command(), Math.max(LEAST_COMMAND, WIDTH - fixed.length()));
    }
}
