package org.galerna.cli.observe;

import java.io.Console;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.launch.report.ExitStatus;
import org.galerna.link.counters.JobReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galerna top}: what the ranks of a job do, again and again. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Shows what the ranks of one of your jobs on this host send and receive, how much of their time they wait in "
                    + "calls, and who waits for whom. In a terminal it goes on until the job ends, or you press Ctrl-C; "
                    + "elsewhere it prints one picture. The job does not notice. Of a node of messaging, or of fast sockets, it shows "
                    + "all figures.",
            "JOB is an id that galerna jobs lists, the beginning of one, or the number of a process. You can leave it out "
                    + "if you have one job."
        },
        footer = {
            "",
            "COMM is the share of the time in which a call waits. Where many ranks do not fit on the screen, one line stands "
                    + "for several of them: rates and sums are those of all, COMM is the mean."
        })
public final class TopCommand implements Callable<Integer> {
    private static final int NO_TERMINAL_ROWS = 10_000;

    @Parameters(paramLabel = "JOB", arity = "0..1", description = "the job")
    private @Nullable String wanted;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "time between two pictures; default: ${DEFAULT-VALUE}")
    private double interval = 1;

    @Option(names = "--once", description = "print one picture in a terminal, too")
    private boolean once;

    @Option(names = "--json", description = "print all counters as JSON, once")
    private boolean json;

    @Option(names = "--metrics", description = "print all counters in the text format of Prometheus, once")
    private boolean metrics;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(interval >= 0.1 && interval <= 3600)) {
            throw new UsageException("--interval takes seconds from 0.1 to 3600, not " + interval);
        }
        if (json && metrics) {
            throw new UsageException("--json and --metrics exclude each other");
        }
        JobReport job = JobChoice.find(wanted);
        if (json || metrics) {
            System.out.print(json ? JobJson.counters(job) + "\n" : Metrics.of(job));
            return ExitStatus.OK;
        }
        boolean live = !once
                && Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent();
        return live ? live(job) : picture(job);
    }

    private int picture(JobReport job) throws IOException, InterruptedException {
        JobReport later = job.isAlive() ? again(job) : job;
        new TopScreen(Terminal.WIDTH, NO_TERMINAL_ROWS)
                .lines(job, later == null ? job : later)
                .forEach(System.out::println);
        return ExitStatus.OK;
    }

    private @Nullable JobReport again(JobReport job) throws IOException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.round(interval * 1e9));
        return job.again();
    }

    private int live(JobReport first) throws IOException, InterruptedException {
        JobReport before = first;
        JobReport now = first;
        while (true) {
            Terminal terminal = Terminal.size();
            // the last line is left to the cursor, so that nothing scrolls
            terminal.show(new TopScreen(terminal.columns(), terminal.rows() - 1).lines(before, now));
            if (!now.isAlive()) {
                return ExitStatus.OK;
            }
            before = now;
            JobReport next = again(now);
            if (next == null) {
                System.out.println("The job has ended.");
                return ExitStatus.OK;
            }
            now = next;
        }
    }
}
