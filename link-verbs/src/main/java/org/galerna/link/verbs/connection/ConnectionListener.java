package org.galerna.link.verbs.connection;

/** Hears of what happens to a connection and concerns the whole link. Any thread may tell. */
public interface ConnectionListener {
    /** A message has come of a peer that has not said yet that the connection is ready: so it is. */
    void heardOf(Connection connection);

    /** A connection to a peer has been made, after so many trials: whoever waits for it may go on. */
    void madeUp(int peer, int trials);

    /** A connection does not work any more. */
    void lose(int peer, String reason);

    /** Nothing works any more. */
    void fatal(String reason);
}
