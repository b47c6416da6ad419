package org.galerna.link.ofi.adapter;

import org.galerna.link.LinkOptions;
import org.galerna.link.support.Frames;

/**
 * Sizes of queues and buffers. They shrink with the number of ranks, because a rank has receives for all that may send to it,
 * and a ring for each that it sends to.
 *
 * @param credits messages of one peer that may lie here unread
 * @param slotBytes longest message
 * @param ringBytes of the ring of frames on their way out, a power of two
 * @param receives buffers for messages, for all peers together
 */
public record Sizes(int credits, int slotBytes, int ringBytes, int receives) {
    /** Receives of a peer beside those that it has credit for. */
    private static final int RESERVE = 2;

    /** Bytes of all receives together at most: in larger jobs peers share what there is, and the provider holds back the rest. */
    private static final int MOST_BYTES = 64 << 20;

    public static Sizes of(LinkOptions options, int ranks, int mostReceives, int mostBytes) {
        int credits = ranks <= 8 ? 64 : ranks <= 32 ? 32 : 16;
        int ring = ranks <= 8 ? 256 * 1024 : ranks <= 32 ? 64 * 1024 : 32 * 1024;
        if (options.frameBytes() != 0) {
            ring = options.frameBytes();
        }
        // a frame with what it may have to skip takes less than three quarters of the ring
        int slot = Math.min(Math.min(ranks <= 8 ? 16 * 1024 : 8 * 1024, (ring / 8 * 3) & -8), mostBytes & -8);
        long wanted = Math.max(1, ranks - 1) * (long) (credits + RESERVE);
        int receives = (int) Math.max(1, Math.min(Math.min(wanted, mostReceives), MOST_BYTES / slot));
        return new Sizes(credits, slot, ring, receives);
    }

    public int maximumFrame() {
        return slotBytes - Frames.HEADER_BYTES;
    }

    /** Messages whose receives are to be given back before that is said in a message of its own. */
    public int creditThreshold() {
        return credits / 2;
    }
}
