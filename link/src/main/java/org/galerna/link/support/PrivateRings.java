package org.galerna.link.support;

import java.util.OptionalInt;
import org.galerna.link.settings.Setting;

/**
 * How many pairs have a ring of their own into a rank, beside the queue that all may write to. If pairs ask for a ring in vain, {@link
 * RingWishes} finds those that are silent.
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
}
