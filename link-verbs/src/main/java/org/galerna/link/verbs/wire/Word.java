package org.galerna.link.verbs.wire;

/**
 * The 32 bits that travel with each message: its kind, who sends it, and credits that it gives back. They are the
 * immediate word where the network has one (InfiniBand, RoCE); otherwise (iWARP) they are in the first header of the message.
 *
 * <pre>
 *   31            16 15   12 11                0
 *  +----------------+-------+-------------------+
 *  | sender's rank  | kind  | credits           |
 *  +----------------+-------+-------------------+
 * </pre>
 */
public final class Word {
    /** A message of frames. */
    public static final int FRAMES = 5;

    /** A message that gives credits and has nothing else. */
    public static final int CREDIT = 10;

    /** Most credits that one message gives back. */
    public static final int MOST_CREDITS = 0xfff;

    /** Most ranks of a job. */
    public static final int MOST_RANKS = 1 << 16;

    private Word() {}

    public static int of(int kind, int rank, int credits) {
        return (rank << 16) | (kind << 12) | credits;
    }

    public static int kind(int word) {
        return (word >>> 12) & 0xf;
    }

    public static int rank(int word) {
        return word >>> 16;
    }

    public static int credits(int word) {
        return word & MOST_CREDITS;
    }
}
