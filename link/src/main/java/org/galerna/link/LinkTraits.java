package org.galerna.link;

/**
 * What is good to know of a link before it is used; constant.
 *
 * @param maximumFrame longest frame, in bytes; at least 64 bytes more than its longest descriptor of a region
 * @param inlineFrame longest frame that costs no more than an empty one, in bytes
 * @param eagerLimit longest message, in bytes, that is best sent in frames, whether the receiver waits for it or not; a longer
 *     one is better announced and fetched by {@link Rma#get}. The measured value for this kind of network.
 * @param writesOnFlush whether frames travel only by {@link Channel#flush}, which calls the system or an adapter for all that
 *     are there, so that it pays to gather some before. Otherwise the peer finds them once they are committed, and it only
 *     wakes the peer.
 */
public record LinkTraits(int maximumFrame, int inlineFrame, int eagerLimit, boolean writesOnFlush) {
    /** Of a network of which nobody has measured another one. */
    public static final int USUAL_EAGER_LIMIT = 8 * 1024;
}
