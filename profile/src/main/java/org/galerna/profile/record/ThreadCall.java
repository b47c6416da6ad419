package org.galerna.profile.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The call that one thread makes, and the one before it. Used by that thread alone, and by the recorder for it. */
public final class ThreadCall {
    /** No call. */
    static final int NONE = -1;

    /** Number of the thread within its rank. */
    final int thread;

    /** Calls of MPI within calls of MPI, such as those of a function of the program within Reduce; the outermost counts. */
    int depth;

    int site = NONE;
    long begin;
    /** Of the messages of the call. */
    long bytes;
    /** Of the communicator, if all its ranks make this call together; 0 otherwise. */
    long together;
    /** The first context of that communicator. */
    int contexts;

    int lastSite = NONE;
    long lastEnd;

    /** Messages that end in this call. */
    @Nullable
    MessageEnd[] ended = new MessageEnd[8];

    int endedNumber;

    ThreadCall(int thread) {
        this.thread = thread;
    }

    void ends(MessageEnd message) {
        if (endedNumber == ended.length) {
            ended = Arrays.copyOf(ended, 2 * endedNumber);
        }
        ended[endedNumber] = message;
        endedNumber++;
    }
}
