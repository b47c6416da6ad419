package org.galerna.link;

/** Memory that peers can reach by its key; see {@link Link#register}. */
public interface Region extends AutoCloseable {
    /** What a peer needs to reach the region; meaningful to this link's peers only. */
    long key();

    /** Ends the peers' access; no transfer may be under way. */
    @Override
    void close();
}
