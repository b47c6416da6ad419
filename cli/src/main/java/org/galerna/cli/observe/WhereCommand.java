package org.galerna.cli.observe;

import java.util.concurrent.Callable;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.launch.report.ExitStatus;
import org.galerna.link.counters.JobReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code galerna where}: where the ranks of a job are. */
@Command(
        name = "where",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Prints for each rank of one of your jobs on this host the call that it is in, since when, the rank that it waits "
                    + "for, and the program's calls that lead there; and the cycle, if ranks wait for each other. The job "
                    + "goes on.",
            "JOB is an id that galerna jobs lists, the beginning of one, or the number of a process. You can leave it out "
                    + "if you have one job.",
            "galerna run prints the same when it gets the signal USR1."
        })
public final class WhereCommand implements Callable<Integer> {
    @Parameters(paramLabel = "JOB", arity = "0..1", description = "the job")
    private @Nullable String wanted;

    @Override
    public Integer call() {
        JobReport job = JobChoice.find(wanted);
        if (job.isService()) {
            throw new UsageException(
                    "job " + job.id() + " is of " + job.ranks().getFirst().device()
                            + " and has no ranks; \"galerna top " + job.id() + "\" shows what it does");
        }
        if (!job.isAlive()) {
            throw new UsageException(
                    "job " + job.id() + " has ended; \"galerna top " + job.id() + "\" shows what it has counted");
        }
        Where where = Where.of(job);
        System.out.print(where.text());
        where.silent().forEach(System.err::println);
        return where.silent().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    }
}
