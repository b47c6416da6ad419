package org.galerna.link.support;

import java.util.OptionalInt;
import java.util.function.Function;
import org.galerna.link.settings.Setting;
import org.jspecify.annotations.Nullable;

/**
 * How many pairs have a ring of their own into a rank, beside the queue that all may write to. If a pair asks for a ring in
 * vain, the rings are reviewed, and the sender of one that has been silent for some reviews is asked to release it.
 */
public final class PrivateRings {
    /** System property with that number; unless it is set, the size of the job says it. */
    public static final Setting<Integer> SETTING = Setting.number(
            "galerna.private.rings",
            0,
            0,
            1 << 16,
            "rings of busy pairs that each rank has room for, 0 to 65536, beside its receive queue; unless set, all pairs of"
                    + " up to 32 ranks, and 16 for each rank of larger jobs");

    /** Its name. */
    public static final String PROPERTY = SETTING.name();

    /** In jobs of so many ranks every pair that talks has a ring from its first message. */
    private static final int FEW = 8;

    /** In jobs of so many ranks every busy pair has one. */
    private static final int MEDIUM = 32;

    /**
     * Of larger jobs: what most programs talk to, such as the neighbours in three dimensions, or of a butterfly of thousands
     * of ranks.
     */
    private static final int OF_MANY = 16;

    /** Reviews in a row without a frame, after which a ring is taken back: what changes from phase to phase stays. */
    private static final int SILENT_REVIEWS = 3;

    private PrivateRings() {}

    /**
     * The number for a job of so many ranks; empty if each pair has a ring from its first message, and there is no queue.
     *
     * @throws IllegalArgumentException if the property is no such number
     */
    public static OptionalInt of(int ranks) {
        if (SETTING.isSet()) {
            return OptionalInt.of(SETTING.get());
        }
        return ranks <= FEW ? OptionalInt.empty() : OptionalInt.of(ranks <= MEDIUM ? MEDIUM : OF_MANY);
    }

    /**
     * Reviews the rings that lead to a rank, since one is wanted in vain.
     *
     * @return one that has just been silent for so long that it is to be taken back, once for each time; null if there is none
     */
    public static <T> @Nullable T review(T[] rings, Function<T, RingFrames> frames) {
        T silent = null;
        for (T each : rings) {
            if (frames.apply(each).review() == SILENT_REVIEWS) {
                silent = each;
            }
        }
        return silent;
    }
}
