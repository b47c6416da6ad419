package org.galerna.collectives.team;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The last collectives that a member has called, so that others can read them at any time. Those that block and those that
 * do not are counted apart, because nothing that another thread starts may disturb the count of those that block.
 *
 * <p>A call is one word: its number (16 bits), its tag (18: operation and root), its size (30). What does not fit is cut off
 * alike everywhere, and makes calls equal that are not. Numbers that are equal for once are no danger, since nobody is so
 * far ahead of others.
 */
final class Calls {
    /** How many of each kind are known. */
    static final int DEPTH = 8;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int SIZE_BITS = 30;
    private static final int TAG_BITS = 18;
    private static final int NUMBER_SHIFT = SIZE_BITS + TAG_BITS;
    private static final long SIZE_MASK = (1L << SIZE_BITS) - 1;
    private static final int TAG_MASK = (1 << TAG_BITS) - 1;
    private static final long NUMBER_MASK = (1L << (Long.SIZE - NUMBER_SHIFT)) - 1;

    private final long[] words = new long[DEPTH];
    /** Collectives that block, begun so far. Written by the thread that begins them; others may see an older number. */
    private long number;

    // one thread at a time reserves and names; others may see older values
    private final long[] startedWords = new long[DEPTH];
    private final long[] startedAfter = new long[DEPTH];
    private volatile long started;

    /** Whether one has failed, so that the member may have called the same one again. */
    private volatile boolean spoilt;

    /** The member calls a collective that blocks. */
    void add(int tag, long bytes) {
        long next = number + 1;
        number = next;
        WORDS.setOpaque(words, (int) next & (DEPTH - 1), word(next, tag, bytes));
    }

    private static long word(long number, int tag, long bytes) {
        return (number << NUMBER_SHIFT) | ((long) (tag & TAG_MASK) << SIZE_BITS) | Math.min(bytes + 1, SIZE_MASK);
    }

    /** How many that block have been called. */
    long number() {
        return number;
    }

    /** What stands at the place of a collective that blocks: that one, or another one before or after it. */
    long get(long which) {
        return (long) WORDS.getOpaque(words, (int) which & (DEPTH - 1));
    }

    /** The member starts a collective that does not block; what it is called follows. */
    long start() {
        long next = started + 1;
        int place = (int) next & (DEPTH - 1);
        WORDS.setOpaque(startedWords, place, 0L);
        WORDS.setOpaque(startedAfter, place, number);
        started = next;
        return next;
    }

    /** What one that was started is called. */
    void name(long which, int tag, long bytes) {
        if (which > started - DEPTH) {
            WORDS.setOpaque(startedWords, (int) which & (DEPTH - 1), word(which, tag, bytes));
        }
    }

    /** How many that do not block have been started. */
    long started() {
        return started;
    }

    /** As {@link #get}, of one that does not block. */
    long getStarted(long which) {
        return (long) WORDS.getOpaque(startedWords, (int) which & (DEPTH - 1));
    }

    /** How many that block had been called before one that does not. */
    long startedAfter(long which) {
        return (long) WORDS.getOpaque(startedAfter, (int) which & (DEPTH - 1));
    }

    /** A collective has failed: from now on the order tells nothing. */
    void spoil() {
        spoilt = true;
    }

    /** Whether one has failed. */
    boolean isSpoilt() {
        return spoilt;
    }

    /** Whether a word is that of a call of this number. */
    static boolean is(long word, long which) {
        return word != 0 && (word >>> NUMBER_SHIFT) == (which & NUMBER_MASK);
    }

    /** Whether two members have called different collectives as the same one. */
    static boolean contradict(long one, long other) {
        return one != other && (one >>> NUMBER_SHIFT) == (other >>> NUMBER_SHIFT);
    }

    /**
     * Whether two members have called different operations, or with different roots, as the same one some time ago. They may
     * have met in later ones all the same: with a call that moves nothing, or that needs nobody.
     */
    boolean haveGoneApart(Calls other) {
        boolean apart = false;
        for (long which = Math.max(1, number - DEPTH + 1); which < number; which++) {
            long own = get(which);
            long theirs = other.get(which);
            apart |= contradict(own, theirs) && tag(own) != tag(theirs);
        }
        return apart && !spoilt && !other.spoilt;
    }

    static int tag(long word) {
        return (int) (word >>> SIZE_BITS) & TAG_MASK;
    }

    /** Its size; negative if members need not agree about it. */
    static long bytes(long word) {
        return (word & SIZE_MASK) - 1;
    }
}
