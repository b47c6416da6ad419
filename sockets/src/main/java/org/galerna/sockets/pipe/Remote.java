package org.galerna.sockets.pipe;

/** The other end of a pipe if it is on another host. Any thread may call. */
public interface Remote {
    /** What leads there. Several pipes may have the same one. */
    RemoteLink link();

    /** This end agrees to the offer of the other one. */
    void agree();

    /** Tells the other end what is new here, as far as the link takes it now; otherwise it is tried again. */
    void push();

    /** As {@link #push}, for a reader: the other end need not know of each byte that is read. */
    void pushRead();

    /**
     * The bytes of this end are about to turn to the pipe.
     *
     * @param whenKnown what is done once the other end knows where
     */
    void turn(Runnable whenKnown);

    /** TCP has the byte that marks the place where this end has turned. */
    void marked();

    /** Whether TCP has that byte. */
    boolean isMarked();

    /** Waits until the other end knows where this one has turned to the pipe, if it has. */
    void awaitTurnIsKnown();
}
