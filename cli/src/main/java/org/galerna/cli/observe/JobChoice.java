package org.galerna.cli.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.galerna.cli.usage.UsageException;
import org.galerna.link.counters.JobReport;
import org.jspecify.annotations.Nullable;

/** Finds the job that somebody means: by its id or the beginning of it, or by the number of one of its processes. */
final class JobChoice {
    private static final int MOST_IDS = 8;
    private static final String HINT = "; \"galerna jobs\" lists them";

    private JobChoice() {}

    /** All jobs of this user on this host, those that began last first. */
    static List<JobReport> all() {
        try {
            return JobReport.all();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    /**
     * The job that is meant.
     *
     * @param wanted what was typed; null for the only job that runs
     */
    static JobReport find(@Nullable String wanted) {
        return choose(all(), wanted, JobChoice::ownerOf);
    }

    /** The owner of a process. */
    @FunctionalInterface
    interface Owners {
        /** Name of the user; empty if there is no such process, or nobody knows. */
        Optional<String> of(long process);
    }

    static JobReport choose(List<JobReport> jobs, @Nullable String wanted, Owners owners) {
        if (wanted == null) {
            return choose(jobs);
        }
        Optional<JobReport> ofProcess = number(wanted)
                .flatMap(process -> jobs.stream()
                        .filter(job -> job.processes().contains(process))
                        .min(Comparator.comparing(JobReport::isService)));
        if (ofProcess.isPresent()) {
            return ofProcess.get();
        }
        List<JobReport> found =
                jobs.stream().filter(job -> isMeant(job, wanted)).toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        if (found.size() > 1) {
            throw new UsageException("several of your jobs are " + wanted + "...: " + ids(found));
        }
        Optional<String> owner = number(wanted).flatMap(owners::of);
        if (owner.isPresent() && !owner.get().equals(System.getProperty("user.name"))) {
            throw new UsageException("process " + wanted + " belongs to user " + owner.get()
                    + ", and you can only look at your own jobs");
        }
        if (owner.isPresent()) {
            throw new UsageException("process " + wanted + " is in none of your jobs" + HINT);
        }
        throw new UsageException("you have no job " + wanted + " on this host" + HINT);
    }

    private static JobReport choose(List<JobReport> jobs) {
        List<JobReport> all = jobs.stream().filter(JobReport::isAlive).toList();
        List<JobReport> ofRanks = all.stream().filter(job -> !job.isService()).toList();
        List<JobReport> alive = ofRanks.isEmpty() ? all : ofRanks;
        if (alive.size() > 1) {
            throw new UsageException("you have " + alive.size() + " jobs on this host, name one: " + ids(alive));
        }
        if (alive.isEmpty()) {
            throw new UsageException("you have no job on this host that runs"
                    + (jobs.isEmpty() ? "" : "; those that failed or were killed: " + ids(jobs)));
        }
        return alive.getFirst();
    }

    private static boolean isMeant(JobReport job, String wanted) {
        return job.id().startsWith(wanted.toLowerCase(Locale.ROOT))
                || job.ranks().getFirst().job().equals(wanted);
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException name) {
            return Optional.empty();
        }
    }

    private static String ids(List<JobReport> jobs) {
        String first = String.join(
                ", ", jobs.stream().limit(MOST_IDS).map(JobReport::id).toList());
        return jobs.size() <= MOST_IDS ? first : first + " and " + (jobs.size() - MOST_IDS) + " more";
    }

    private static Optional<String> ownerOf(long process) {
        return ProcessHandle.of(process).flatMap(handle -> handle.info().user());
    }
}
