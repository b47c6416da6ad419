package org.galerna.link;

/**
 * What a link can do.
 *
 * @param maximumFrame longest frame, in bytes
 * @param inlineFrame longest frame that costs no more than an empty one, in bytes
 * @param oneSided whether {@link Link#get} and {@link Link#put} of regions outside the heap go on while the peer does
 *     not poll
 * @param heapRegions whether regions and local memory of transfers may lie on the Java heap
 * @param sharedHeap whether all peers live in this JVM, so that objects themselves can be handed over
 * @param transferAlignment addresses and lengths of transfers must be multiples of this, in bytes; 1 for no restriction
 */
public record LinkCapabilities(
        int maximumFrame,
        int inlineFrame,
        boolean oneSided,
        boolean heapRegions,
        boolean sharedHeap,
        int transferAlignment) {}
