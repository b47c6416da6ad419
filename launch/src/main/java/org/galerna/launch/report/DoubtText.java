package org.galerna.launch.report;

import java.time.Duration;
import java.util.List;

/** What a job that stands still without being deadlocked for certain says to its user. */
public final class DoubtText {
    private static final int NAMED = 3;

    private DoubtText() {}

    /**
     * One line, without its end.
     *
     * @param lasting for how long nothing has moved
     * @param doubts what may move a rank, one clause each
     */
    public static String of(Duration lasting, List<String> doubts) {
        String named = String.join("; ", doubts.subList(0, Math.min(NAMED, doubts.size())));
        int more = doubts.size() - NAMED;
        return "galerna: every rank waits, and nothing has moved for " + ReportText.seconds(lasting)
                + "; the job goes on, because this may be no deadlock: " + named
                + (more > 0 ? "; and " + more + " more" : "");
    }
}
