package org.galerna.collectives.team;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The last collectives that a member has called, each in one word, so that others can read them at any time: its number (16
 * bits), its tag (18: operation and root), its size (30). What does not fit is cut off alike everywhere, and makes calls
 * equal that are not. Numbers that are equal for once are no danger, since nobody is so far ahead of others.
 */
final class Calls {
    /** How many are known. */
    static final int DEPTH = 8;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int SIZE_BITS = 30;
    private static final int TAG_BITS = 18;
    private static final int NUMBER_SHIFT = SIZE_BITS + TAG_BITS;
    private static final long SIZE_MASK = (1L << SIZE_BITS) - 1;
    private static final int TAG_MASK = (1 << TAG_BITS) - 1;

    private final long[] words = new long[DEPTH];

    /** The member calls a collective. */
    void add(long number, int tag, long bytes) {
        long word = (number << NUMBER_SHIFT) | ((long) (tag & TAG_MASK) << SIZE_BITS) | Math.min(bytes + 1, SIZE_MASK);
        WORDS.setOpaque(words, (int) number & (DEPTH - 1), word);
    }

    /** What stands at the place of a collective: that one, or another one before or after it. */
    long get(long number) {
        return (long) WORDS.getOpaque(words, (int) number & (DEPTH - 1));
    }

    /** Whether two members have called different collectives as the same one. */
    static boolean contradict(long one, long other) {
        return one != other && (one >>> NUMBER_SHIFT) == (other >>> NUMBER_SHIFT);
    }

    static int tag(long word) {
        return (int) (word >>> SIZE_BITS) & TAG_MASK;
    }

    /** Its size; negative if members need not agree about it. */
    static long bytes(long word) {
        return (word & SIZE_MASK) - 1;
    }
}
