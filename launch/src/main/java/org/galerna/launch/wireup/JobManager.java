package org.galerna.launch.wireup;

import java.io.IOException;
import java.util.function.IntConsumer;

/**
 * What has started this process as one of a job's, and what a job manager offers: a place for values that never change,
 * and a barrier. All methods but {@link #abort} are called by one thread at a time.
 */
interface JobManager {
    /** The protocol that it speaks, e.g. {@code "PMI-1"}. */
    String protocol();

    /** Its name for the job, unique among those that run. */
    String job();

    /** This process, from 0. */
    int rank();

    /** Number of processes in the job. */
    int size();

    /** Most bytes that a value may have. */
    int longestValue();

    /**
     * Publishes a value; no key is used twice by a process.
     *
     * @param value at most {@link #longestValue} bytes
     */
    void put(String key, byte[] value) throws IOException;

    /** Waits for all processes of the job; what they have put before can be got afterwards. */
    void fence() throws IOException;

    /** What a process has put before the last fence. */
    byte[] get(int rank, String key) throws IOException;

    /** Ends all processes of the job. Any thread may call it, also while another one waits in a fence. */
    void abort(int status, String reason) throws IOException;

    /**
     * What is to be done when another process has ended the job, with its exit status; on any thread. Nothing where the manager ends
     * the processes itself.
     */
    default void onAbort(IntConsumer ending) {}

    /** Says that this process ends in good order; to be called once, the last call of all. */
    void finish() throws IOException;
}
