package org.galerna.launch;

import java.time.Duration;
import org.galerna.launch.report.JobResult;

/** A job that can be run once. */
public interface Job {
    /**
     * Runs the job on the calling thread, which watches over it; once per job. An interrupt of the calling thread ends
     * the job as {@link #interrupt} does, and stays set.
     */
    JobResult run();

    /**
     * Ends the job from outside, from any thread.
     *
     * @return false if the job has ended already, or is about to end for another reason
     */
    boolean interrupt();

    /** How long it may take to end in order when it is interrupted. */
    Duration patience();
}
