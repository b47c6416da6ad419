package org.galerna.link.verbs.adapter;

import org.galerna.link.LinkOptions;
import org.galerna.link.support.Frames;
import org.galerna.link.verbs.wire.Word;

/**
 * Sizes of the queues and buffers of a connection. They shrink with the number of ranks, because every pair that talks has
 * them at both ends: {@link #receives} buffers of {@code slotBytes} for what comes in, and a ring for what goes out.
 *
 * @param credits messages of one peer that may lie here unread
 * @param slotBytes longest message
 * @param ringBytes of the ring, a power of two
 * @param sends work requests under way to one peer
 */
public record Sizes(int credits, int slotBytes, int ringBytes, int sends) {
    /** Receives of a peer beside those that it has credit for: see {@code Connection}. */
    static final int RESERVE = 2;

    public static Sizes of(LinkOptions options, VerbsOptions verbs, int ranks) {
        int credits = ranks <= 8 ? 64 : ranks <= 32 ? 32 : 16;
        int ring = ranks <= 8 ? 256 * 1024 : ranks <= 32 ? 64 * 1024 : 32 * 1024;
        if (options.frameBytes() != 0) {
            ring = options.frameBytes();
        }
        int slot = Math.min(ranks <= 8 ? 16 * 1024 : 8 * 1024, (ring / 8 * 3) & -8); // see SendQueue.push
        return new Sizes(
                Math.min(verbs.credits() > 0 ? verbs.credits() : credits, Word.MOST_CREDITS),
                slot,
                ring,
                verbs.sends());
    }

    public int maximumFrame() {
        return slotBytes - Frames.HEADER_BYTES;
    }

    /** Receives that are posted for one peer. */
    public int receives() {
        return credits + RESERVE;
    }

    /** Messages whose receives are to be given back before that is said in a message of its own. */
    public int creditThreshold() {
        return Math.max(1, credits / 2);
    }

    /** Receives of one peer that are posted again together; far fewer than make it wait for credit. */
    public int receiveBatch() {
        return Math.clamp(credits / 8, 1, 8);
    }
}
