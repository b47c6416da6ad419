package org.galerna.messaging.waiting;

/** What a thread does for the whole node while it waits for something that comes from another node. */
public interface Progress {
    /** {@link #help}: another thread does it. */
    int BUSY = -1;

    /**
     * Takes what has come.
     *
     * @return number of frames, or {@link #BUSY}
     */
    int help();
}
