package org.galerna.launch.rank;

/** The job, as a rank sees it. Called by threads of the rank. */
public interface RankJob {
    /** How many ranks of the job are in this JVM. */
    int ranks();

    /** The main thread of the rank begins; called by that thread. */
    void started(RankContext rank);

    /** The main thread of the rank creates another thread or starts a process; called by the main thread. */
    void startsSomething(RankContext rank);

    /**
     * The rank has ended in good order: nothing of it is left that the job would have to wait for.
     *
     * @param rank the rank
     */
    void ended(RankContext rank);

    /** The rank has asked for the end of the job with a status that is not zero. */
    void exited(RankContext rank, int status);

    /** A thread of the rank has died of an exception. */
    void failed(RankContext rank, Thread thread, Throwable exception);
}
