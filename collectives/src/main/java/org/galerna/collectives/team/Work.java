package org.galerna.collectives.team;

/**
 * Work on the memory that the members have {@linkplain Publication published}, in pieces that any member may do. Has no
 * state: one object serves all.
 */
public interface Work {
    /**
     * Number of pieces. Called when all have entered; but if others have done the work meanwhile, publications may be
     * changing, and then any number will do.
     */
    int pieces(HeapMember seat);

    /** Does one piece, which no other member does. */
    void run(HeapMember seat, int piece);
}
