package org.galerna.launch;

import org.galerna.launch.report.Deadlock;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/** The ranks of a job that are threads of this JVM, and how they meet the others: all of the job, or some of it. */
public interface RankGroup {
    /** The lowest of the ranks; the others follow. */
    int first();

    /** The wire-up of a rank. Its {@link Wireup#abort} has to reach {@link Events#aborted}. */
    Wireup wireup(int rank);

    /** What a rank tells about itself; null as long as it has not joined the others. */
    @Nullable
    RankMonitor monitor(int rank);

    /**
     * A rank has left. Called before the others can notice by themselves.
     *
     * @param unfinished whether it has joined the others and has not finished
     */
    void left(int rank, boolean unfinished);

    /**
     * No rank of this JVM can go on by itself.
     *
     * @return whether the job is to be ended for that
     */
    boolean standStill(Deadlock deadlock);

    /** Something has moved since {@link #standStill}. */
    void move();

    /** The job, as a group sees it. */
    interface Events {
        /** A rank ends the job; called on the thread that does. */
        void aborted(int rank, int status, String reason);
    }
}
