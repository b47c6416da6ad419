package org.galerna.link.ofi.connection;

/** How far a rank has got with a peer. It goes forwards only. */
enum PeerState {
    /** Its address is not entered. */
    UNKNOWN,
    /** It can be told something. */
    CONNECTED,
    /** It has left or is lost, and is told nothing any more. */
    GONE;

    /**
     * Its address is entered.
     *
     * @throws IllegalStateException if it was before, or the peer is gone
     */
    PeerState connect() {
        if (this != UNKNOWN) {
            throw new IllegalStateException("a peer that is " + this + " is not connected again");
        }
        return CONNECTED;
    }
}
