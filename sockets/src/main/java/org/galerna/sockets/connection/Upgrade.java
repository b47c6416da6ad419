package org.galerna.sockets.connection;

/** What offers a pipe for a connection that is used. Any thread. */
public interface Upgrade {
    /** Counts a read or a write of so many bytes; true, once, when the connection is worth a pipe. */
    boolean isDue(long bytes);

    /** Offers a pipe if the other end can have one. Does not wait for the other end. */
    void offer(UpgradableConnection connection);
}
