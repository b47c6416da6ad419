package org.galerna.device;

/** Something a thread waits for, and how to say so in a report. */
public interface Waited {
    /** True if and only if waiting is over. Makes no progress. */
    boolean isDone();

    /** In words, e.g. {@code "receive from rank 2, tag 7"}. */
    String operation();

    /** The rank that has to act, or {@link Device#ANY_SOURCE}. */
    int awaitedPeer();
}
