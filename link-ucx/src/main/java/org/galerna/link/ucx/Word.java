package org.galerna.link.ucx;

/** The word of a message: which rank has sent it, and the last bits of its number, since UCX may deliver out of order. */
final class Word {
    static final int MOST_RANKS = 1 << 16;

    private static final int NUMBER_BITS = 16;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;

    private Word() {}

    static int of(int rank, long number) {
        return rank << NUMBER_BITS | ((int) number & NUMBER_MASK);
    }

    static int rank(int word) {
        return word >>> NUMBER_BITS;
    }

    static int number(int word) {
        return word & NUMBER_MASK;
    }

    /** Whether that word has the number of a message. */
    static boolean has(int word, long number) {
        return number(word) == ((int) number & NUMBER_MASK);
    }
}
