package org.galerna.bench.model;

/**
 * The memory that the ranks of a host have in common, and the cache in front of it. A call of a collective touches most of its bytes once,
 * and the next call touches them again. So all of them are still in the cache, or none is: as many bytes as the cache has have been
 * touched in between.
 *
 * @param perByte seconds that a byte which is copied, or combined, keeps the memory; 0 if it is fast enough for all
 * @param cache bytes that the ranks of a host may touch in a call before these come from memory; 0 if they always do
 */
public record HostMemory(double perByte, long cache) {
    /** Fast enough for all. */
    public static final HostMemory FREE = new HostMemory(0, 0);

    /** Seconds for a byte, if the ranks of the host touch so many in a call. */
    double perByte(double touched) {
        return cache > 0 && touched <= cache ? 0 : perByte;
    }
}
