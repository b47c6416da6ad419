package org.galerna.link.support;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;

/**
 * What a rank makes of the wishes for a ring that it had no room for: when its rings are reviewed, and which are taken back. Used by
 * the polling thread alone.
 *
 * <p>A review comes after so many wishes that each sender has asked {@value #WISHES} times on average, and with few senders after as
 * many as if each ring had one. So a pair that talks as much as those without a ring has sent through its ring meanwhile, however many ask,
 * and even if some of them have run ahead of it. If each wish were a review, dozens of equal senders would take each other's rings.
 */
public final class RingWishes {
    /** Reviews in a row without a frame, after which a ring is taken back: what changes from phase to phase stays. */
    private static final int SILENT_REVIEWS = 3;

    /** Wishes of a sender, each after {@value QueueChannel#BUSY} frames through the queue. */
    private static final int WISHES = 4;

    private final int limit;
    private final BitSet askers = new BitSet(); // since the last review
    private int wishes; // since then

    /**
     * Nobody has asked.
     *
     * @param limit rings that there may be at once
     */
    public RingWishes(int limit) {
        this.limit = limit;
    }

    /**
     * A sender has asked for a ring in vain.
     *
     * @return the rings that have just been silent for so long that they are to be taken back, each once
     */
    public <T> List<T> review(int sender, T[] rings, Function<T, RingFrames> frames) {
        askers.set(sender);
        if (++wishes < WISHES * Math.max(limit, askers.cardinality())) {
            return List.of();
        }
        wishes = 0;
        askers.clear();
        List<T> silent = new ArrayList<>();
        for (T each : rings) {
            if (frames.apply(each).review() == SILENT_REVIEWS) {
                silent.add(each);
            }
        }
        return silent;
    }
}
