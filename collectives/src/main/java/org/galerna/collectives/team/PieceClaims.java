package org.galerna.collectives.team;

/**
 * The pieces of a common work, and which member takes which. Half of the members begin at the first piece and half at the
 * last one: a member that does the same work on the same memory again finds most of it in the cache of its core.
 *
 * <p>Argument. All members have come to the round before one of them claims, so nobody is in an earlier work. The words for
 * claims and done pieces carry the number of their work and are set up by whoever is first: first the done ones, then the
 * claims. A claim that is seen for this work follows both. What is left of the pieces is what has been claimed from neither
 * end. Both ends are counted in one word, so no piece is claimed twice. Claims beyond what is there, one for each member at
 * most, claim nothing.
 */
final class PieceClaims {
    /** Bits of a number of pieces in the words for claims and done pieces; the bits above say of which work. */
    private static final int PIECE_BITS = 18;

    private static final long PIECE_MASK = (1L << PIECE_BITS) - 1;

    /** Most pieces of a work; leaves room for claims beyond the end. */
    static final int MOST_PIECES = 1 << (PIECE_BITS - 1);

    // the word for claims: number of the work (10), pieces (18), claimed from the last one on (18) and from the first
    // on (18)
    private static final int FROM_LAST = PIECE_BITS;
    private static final int PIECES = 2 * PIECE_BITS;
    private static final int WORK = 3 * PIECE_BITS;
    private static final long WORK_MASK = (1L << (Long.SIZE - WORK)) - 1;

    private final HeapArea board;
    private final boolean fromFirst;

    PieceClaims(HeapArea board, int member) {
        this.board = board;
        this.fromFirst = (member & 1) == 0;
    }

    /**
     * Makes the words ready, unless another member has.
     *
     * @param works number of the work
     */
    void setUp(long works, Work work, HeapMember seat) {
        long number = works & WORK_MASK;
        long claims = board.claims();
        if (claims >>> WORK != number) {
            long pieces = Math.clamp(work.pieces(seat), 0, MOST_PIECES);
            long done = board.done();
            if (done >>> PIECE_BITS != number) {
                board.replaceDone(done, number << PIECE_BITS);
            }
            board.replaceClaims(claims, (number << WORK) | (pieces << PIECES));
        }
    }

    /** Pieces of the work. */
    long pieces() {
        return pieces(board.claims());
    }

    /** Takes a piece; -1 if there is none left. */
    int claim() {
        if (left(board.claims()) <= 0) {
            return -1;
        }
        long claims = board.claim(fromFirst ? 1 : 1L << FROM_LAST);
        if (left(claims) <= 0) {
            return -1;
        }
        long piece = fromFirst ? claims & PIECE_MASK : pieces(claims) - 1 - ((claims >>> FROM_LAST) & PIECE_MASK);
        return (int) piece;
    }

    /** Counts a piece that is done; true if it was the last one. */
    boolean countDone() {
        return (board.pieceDone() & PIECE_MASK) == pieces();
    }

    /** Whether all pieces are done. */
    boolean allDone() {
        return (board.done() & PIECE_MASK) == pieces();
    }

    private static long pieces(long claims) {
        return (claims >>> PIECES) & PIECE_MASK;
    }

    private static long left(long claims) {
        return pieces(claims) - (claims & PIECE_MASK) - ((claims >>> FROM_LAST) & PIECE_MASK);
    }
}
