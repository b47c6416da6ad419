package org.galerna.cli.observe;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;

/** What a job does, as far as that is to be seen from outside. */
enum JobState {
    /** Ranks join each other. */
    STARTING,
    /** Some rank goes on. */
    RUNNING,
    /** Every rank on this host has waited in a call for a second or longer. */
    BLOCKED,
    /** Its processes are gone, and have not left in good order. */
    ENDED;

    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(1);

    static JobState of(JobReport job) {
        List<RankReport> alive =
                job.ranks().stream().filter(RankReport::isAlive).toList();
        if (alive.isEmpty()) {
            return ENDED;
        }
        if (!alive.stream().allMatch(RankReport::isRunning)) {
            return STARTING;
        }
        return alive.stream().allMatch(JobState::isBlocked) ? BLOCKED : RUNNING;
    }

    private static boolean isBlocked(RankReport rank) {
        return rank.waiting().stream().anyMatch(waiting -> waiting.nanos() >= LONG_NANOS);
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
