package org.galerna.link.verbs.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.link.verbs.wire.Word;

/**
 * Credit between this rank and one peer, both ways: messages that may lie unread at the other side.
 *
 * <p>Each side has as many receives posted for the other as it gives credits, and {@link Sizes#RESERVE} more. A message of
 * frames costs its sender a credit, which comes back in the next message the other way, after the receive was posted again;
 * when half of them are due and no message goes the other way, in a message that has nothing else. Such a message costs no
 * credit: its receive is posted again as soon as it is seen. A peer that never polls receives at most two of them, since it has
 * no credit left for what would cause a third. So there is always a receive, and an answer that says otherwise is an error.
 *
 * <p>Argument: {@code granted} is written by the poller of completions, {@code consumed} by the polling thread, {@code givenBack}
 * inside the lock of the sender, each after what it stands for (release); others read them before they rely on it (acquire).
 */
final class Credit {
    private static final VarHandle GRANTED;
    private static final VarHandle CONSUMED;
    private static final VarHandle GIVEN_BACK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            GRANTED = lookup.findVarHandle(Credit.class, "granted", long.class);
            GIVEN_BACK = lookup.findVarHandle(Credit.class, "givenBack", long.class);
            CONSUMED = lookup.findVarHandle(Credit.class, "consumed", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int credits;
    private final int threshold;

    // of the sender
    private long used;
    private long givenBack;

    // of the poller of completions
    private long granted;
    private long framesArrived;

    // of the polling thread
    private long consumed;

    Credit(Sizes sizes) {
        this.credits = sizes.credits();
        this.threshold = sizes.creditThreshold();
        this.granted = credits;
    }

    /** Whether this rank has none left; the sender. */
    boolean isSpent() {
        return used >= (long) GRANTED.getAcquire(this);
    }

    /** A message of frames is sent; the sender. */
    void use() {
        used++;
    }

    /** Messages of frames that were sent; the sender. */
    long used() {
        return used;
    }

    /** What is to be given back with the message that is about to be sent; the sender. */
    int takeDue() {
        int due = (int) Math.min((long) CONSUMED.getAcquire(this) - givenBack, Word.MOST_CREDITS);
        GIVEN_BACK.setRelease(this, givenBack + due);
        return due;
    }

    /** Whether so much is due that a message is worth it; the polling thread, or the sender. */
    boolean isDue() {
        return consumed - givenBack >= threshold;
    }

    /** The peer gives so much back; the poller of completions. */
    void grant(int more) {
        GRANTED.setRelease(this, granted + more);
    }

    /** A message of frames has come: false if the peer had no credit for it; the poller of completions. */
    boolean covers() {
        // what the peer has got of credit was counted here before it was sent, and seen there before this was
        return ++framesArrived <= credits + (long) GIVEN_BACK.getAcquire(this);
    }

    /** So many receives are posted again; the polling thread. */
    void consumed(int receives) {
        CONSUMED.setRelease(this, consumed + receives);
    }
}
