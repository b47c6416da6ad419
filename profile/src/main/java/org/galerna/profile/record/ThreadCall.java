package org.galerna.profile.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A call that one thread makes, and the one before it. Used by that thread alone, and by the recorder for it. A thread has two: one may
 * wait to be recorded while the other one is made.
 */
public final class ThreadCall {
    /** No call. */
    static final int NONE = -1;

    private static final int MOST_NOTES = 16;

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
    /** Ranks of the communicator of a collective call; 0 for other calls. */
    int ranks;
    /** The rank in it whose data it is about, or {@link #NONE}. */
    int root;

    boolean isRoot;
    /** By its arguments, of what the rank gives and of what it gets. */
    long given;

    long gotten;

    /** When a call ended that waits to be recorded. */
    long end;

    int lastSite = NONE;
    long lastEnd;

    /** Messages that end in this call. */
    @Nullable
    MessageEnd[] ended = new MessageEnd[8];

    int endedNumber;

    /** Messages of the call that the ledger is told of when it ends, or when there is no more room. */
    final MessageNote[] notes = new MessageNote[MOST_NOTES];

    int noted;

    /** The thread, by {@link Thread#threadId}. */
    final long owner;

    private final ThreadCall first;
    private final ThreadCall other;
    /** Of the first one: which of the two is used. */
    private ThreadCall used;

    ThreadCall(int thread, long owner) {
        this.thread = thread;
        this.owner = owner;
        this.first = this;
        this.used = this;
        this.other = new ThreadCall(this);
        Arrays.setAll(notes, any -> new MessageNote());
    }

    private ThreadCall(ThreadCall other) {
        this.thread = other.thread;
        this.owner = other.owner;
        this.first = other;
        this.used = other;
        this.other = other;
        Arrays.setAll(notes, any -> new MessageNote());
    }

    /** The one of the two that the thread uses. */
    ThreadCall used() {
        return first.used;
    }

    /** The thread uses the other one from now on, while this one waits to be recorded. */
    ThreadCall handOver() {
        other.lastSite = site;
        other.lastEnd = end;
        first.used = other;
        return other;
    }

    /** Whether all that the call did is receive messages. */
    boolean hasOnlyReceived() {
        for (int i = 0; i < noted; i++) {
            if (notes[i].sent) {
                return false;
            }
        }
        return noted > 0 && endedNumber == 0;
    }

    /** The call is over. */
    void close() {
        lastSite = site;
        lastEnd = end;
        site = NONE;
    }

    /** Whether the ledger has to be told before more is noted. */
    boolean isFull() {
        return noted == MOST_NOTES;
    }

    /** A note to be filled in. */
    MessageNote note() {
        MessageNote note = notes[noted];
        noted++;
        return note;
    }

    /** Messages have ended outside of calls. */
    void endOutside(long now) {
        for (int i = 0; i < endedNumber; i++) {
            MessageEnd message = ended[i];
            if (message != null) {
                message.ends(thread, now, now);
                ended[i] = null;
            }
        }
        endedNumber = 0;
    }

    void ends(MessageEnd message) {
        if (endedNumber == ended.length) {
            ended = Arrays.copyOf(ended, 2 * endedNumber);
        }
        ended[endedNumber] = message;
        endedNumber++;
    }
}
