package org.galerna.link.ofi.connection;

/** Hears of what happens on the way to a peer and concerns the whole link. Any thread may tell. */
public interface ConnectionListener {
    /** A peer is talked to, or talks, for the first time. */
    void met(int peer);

    /** The provider does not take the first message to a peer at the moment. */
    void waitsFor(int peer);

    /** Nothing reaches a peer any more. */
    void lose(int peer, String reason);
}
