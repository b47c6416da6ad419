package org.galerna.link.ofi.wire;

/**
 * The 32 bits in the first header of each message: who sends it, its place in the sequence of messages with frames, and credits
 * that it gives back.
 *
 * <pre>
 *   31            16 15        8 7          0
 *  +----------------+-----------+-----------+
 *  | sender's rank  | sequence  | credits   |
 *  +----------------+-----------+-----------+
 * </pre>
 */
public final class Word {
    /** Numbers in the sequence, which is more than twice as many messages as may be under way. */
    public static final int SEQUENCES = 256;

    /** Most credits that one message gives back, and that a peer has. */
    public static final int MOST_CREDITS = 100;

    /** Most ranks of a job. */
    public static final int MOST_RANKS = 1 << 16;

    private Word() {}

    public static int of(int rank, long sequence, int credits) {
        return (rank << 16) | (((int) sequence & (SEQUENCES - 1)) << 8) | credits;
    }

    public static int rank(int word) {
        return word >>> 16;
    }

    public static int sequence(int word) {
        return (word >>> 8) & (SEQUENCES - 1);
    }

    public static int credits(int word) {
        return word & 0xff;
    }
}
