package org.galerna.link;

import java.lang.foreign.MemorySegment;

/** Memory that peers can reach by its descriptor; see {@link Rma#register}. */
public interface Region extends AutoCloseable {
    /** Length of the descriptor in bytes; constant while the region is open, and 0 to {@link Descriptor#MOST_BYTES}. */
    int descriptorBytes();

    /**
     * Writes the descriptor into a frame: what a peer of this link needs to reach the region, such as a key, or an address and
     * the key of an adapter. Does not allocate.
     *
     * @param at aligned to 8 bytes
     */
    void describe(MemorySegment frame, long at);

    /** Ends the peers' access; no transfer may be under way, and none may be begun by somebody who has the descriptor. */
    @Override
    void close();
}
