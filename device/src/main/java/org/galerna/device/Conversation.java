package org.galerna.device;

import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/**
 * Knows what the messages of a context are for, which the device does not: for reports, and to find ranks that do not call
 * the same collectives. All methods may be called by any thread at any time.
 */
public interface Conversation {
    /** The collective that this rank is in, if messages of the tag belong to it; else null. */
    @Nullable
    Collective collective(int tag);

    /**
     * Whether each rank receives the messages of these tags in the order in which the other one sends them, as long as all
     * ranks call the same collectives.
     */
    boolean isOrdered(int tag);

    /** Whether messages of the tag belong to an operation beside the order that this rank has not started yet. */
    boolean isAhead(int tag);

    /** What a message of the tag belongs to, e.g. {@code "Bcast, root 0"}. */
    String describe(int tag);

    /** What is wrong if that rank has sent a message of one tag, and this one waits for another one. */
    String outOfStep(int deviceRank, int sent, int awaited);
}
