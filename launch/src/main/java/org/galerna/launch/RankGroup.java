package org.galerna.launch;

import java.util.Optional;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.galerna.launch.watch.Question;
import org.galerna.launch.watch.Standstill;
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

    /** What is asked about standing still. */
    Question question();

    /**
     * No rank of this JVM can go on by itself.
     *
     * @param round that of the question
     * @return what follows from that here, if anything does
     */
    Optional<Conclusion> standStill(long round, Standstill standstill);

    /** The job, as a group sees it. */
    interface Events {
        /** A rank ends the job; called on the thread that does. */
        void aborted(int rank, int status, String reason);
    }
}
