package org.galerna.sockets;

/** What a process at the other end of a connection offers to the one that has accepted it. */
sealed interface Offer permits MemoryOffer, LinkOffer {
    /** Where it was offered. */
    Carrier carrier();

    /** What both call the pipe. */
    int id();

    /** Lets the connection use the pipe if the other end still wants that. */
    void accept(TurningConnection connection, Settings settings);
}
