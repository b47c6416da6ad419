package org.galerna.device.ucx;

import org.galerna.device.Device;

/**
 * How a message's address lies in the 64 bits of a tag of UCX: what it is (2 bits), the rank that has sent it, the context (31
 * bits together, as few for the rank as the job needs), and the tag (31 bits). A wildcard leaves its bits out of the mask.
 */
final class Tags {
    static final int LARGEST_TAG = Integer.MAX_VALUE;

    private static final int TAG_BITS = 31;
    private static final int RANK_AND_CONTEXT_BITS = 31;
    private static final int KIND_SHIFT = TAG_BITS + RANK_AND_CONTEXT_BITS;
    private static final long KIND_MASK = 3L << KIND_SHIFT;
    private static final long CONTROL = 2L << KIND_SHIFT;
    private static final long BULK = 3L << KIND_SHIFT;
    private static final long TAG_MASK = (1L << TAG_BITS) - 1;

    private final int rankShift;
    private final long rankMask;
    private final long contextMask;

    Tags(int ranks) {
        int rankBits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1));
        this.rankShift = KIND_SHIFT - rankBits;
        this.rankMask = ((1L << rankBits) - 1) << rankShift;
        this.contextMask = ((1L << (RANK_AND_CONTEXT_BITS - rankBits)) - 1) << TAG_BITS;
    }

    int largestContext() {
        return (int) (contextMask >>> TAG_BITS);
    }

    /** The bits that say which rank has sent a message. */
    long rankMask() {
        return rankMask;
    }

    /** Tag of a message; also what a receive of it without wildcards asks for. */
    long message(int source, int context, int tag) {
        return (long) source << rankShift | (long) context << TAG_BITS | tag;
    }

    long wanted(int source, int context, int tag) {
        return message(source == Device.ANY_SOURCE ? 0 : source, context, tag == Device.ANY_TAG ? 0 : tag);
    }

    long mask(int source, int tag) {
        return KIND_MASK
                | contextMask
                | (source == Device.ANY_SOURCE ? 0 : rankMask)
                | (tag == Device.ANY_TAG ? 0 : TAG_MASK);
    }

    /** Tag of a control message of a rank to another rank's device. */
    long control(int source) {
        return CONTROL | (long) source << rankShift;
    }

    long controlMask() {
        return KIND_MASK;
    }

    /** Tag of the bytes of a message that has been announced. */
    long bulk(int source, int id) {
        return BULK | (long) source << rankShift | id;
    }

    int source(long tag) {
        return (int) ((tag & rankMask) >>> rankShift);
    }

    int context(long tag) {
        return (int) ((tag & contextMask) >>> TAG_BITS);
    }

    int tag(long tag) {
        return (int) (tag & TAG_MASK);
    }
}
