package org.galerna.memory.idle;

/**
 * When messages come to a rank that waits for them: before it waits, at once, or later. Learnt from one wait to the next.
 *
 * <p>Any number of threads may use one object. They share what it has learnt without synchronization: a lost update costs a
 * look too many or too few.
 */
public final class ReplyPattern {
    /** Waits in a row whose first look has found nothing, after which that is taken for certain. */
    private static final int REGULAR = 8;

    /** So often it is taken for certain before it is tried again. */
    private static final int TRIAL = 16;

    /** Receives in a row after which nothing else is looked after, at most. */
    private static final int MOST_HURRIED = 8;

    private int late; // waits in a row whose first look has found nothing, or was left out
    private int hurried; // receives in a row, so far
    private boolean early;

    /** Nothing has been learnt. */
    public ReplyPattern() {}

    /** Whether messages are there before this rank waits for them. */
    public boolean isEarly() {
        return early;
    }

    /** Whether messages always come later than the first look. */
    public boolean isLate() {
        return late >= REGULAR;
    }

    /** A wait begins: whether its first look may be left out, because it would find nothing. */
    public boolean skipsFirstLook() {
        int waits = late;
        late = waits == REGULAR + TRIAL ? REGULAR : waits + 1;
        return waits >= REGULAR && waits < REGULAR + TRIAL;
    }

    /**
     * A look has found something.
     *
     * @param first whether it was the first look
     * @param slept whether the thread has slept before
     */
    public void found(boolean first, boolean slept) {
        if (first) {
            late = 0;
        }
        early = first && !slept;
    }

    /** A look has ended a receive: whether its thread goes on at once, and leaves other work to its next wait. */
    public boolean mayHurry() {
        return ++hurried < MOST_HURRIED;
    }

    /** Other work is done now. */
    public void rest() {
        hurried = 0;
    }
}
