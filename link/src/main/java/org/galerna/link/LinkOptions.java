package org.galerna.link;

/**
 * How a link is to be opened.
 *
 * @param slots frames in flight per channel, a power of two; 0 lets the link choose by the number of ranks
 * @param frameBytes space for longer frames per channel, in bytes, a power of two; 0 lets the link choose
 * @param concurrentClaims whether several threads may claim on one channel at once
 */
public record LinkOptions(int slots, int frameBytes, boolean concurrentClaims) {
    /** Sizes of the link's own choice; one claiming thread per channel at a time. */
    public static final LinkOptions DEFAULT = new LinkOptions(0, 0, false);
}
