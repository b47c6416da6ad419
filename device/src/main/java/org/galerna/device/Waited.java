package org.galerna.device;

import org.galerna.link.Collective;
import org.galerna.link.counters.WaitKind;
import org.jspecify.annotations.Nullable;

/** Something a thread waits for, and how to say so in a report. */
public interface Waited {
    /** True if and only if waiting is over. Makes no progress. */
    boolean isDone();

    /**
     * Ends it with a failure if nobody is left who could bring it about, neither another rank nor another thread of this
     * one. Called by the thread that waits for it, before that goes to sleep, where ranks have left the job.
     */
    default void failIfAlone() {
        // most things do not depend on who is there
    }

    /** The thread that waits for it is going to sleep. */
    default void aboutToSleep() {
        // whoever ends it does so without being asked
    }

    /**
     * Ends it with a failure if another rank of the same collective has gone on to a later one without this rank, because
     * they do not call the same ones. Called by the thread that waits for it, when that has slept for a while.
     */
    default void failIfOutOfStep() {
        // most things are no part of a collective
    }

    /** The collective that it is a part of; null if there is none. */
    default @Nullable Collective collective() {
        return null;
    }

    /** What kind of call it is. */
    default WaitKind waitKind() {
        return WaitKind.OTHER;
    }

    /** In words, e.g. {@code "receive from rank 2, tag 7"}. */
    String operation();

    /** The rank that has to act, or {@link Device#ANY_SOURCE}. */
    int awaitedPeer();
}
