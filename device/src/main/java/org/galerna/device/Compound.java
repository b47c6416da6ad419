package org.galerna.device;

import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/**
 * An operation made of several sends and receives, which goes on whenever its rank makes progress: whoever waits for or
 * tests anything at the device moves all of them. See {@link Device#start}.
 */
public interface Compound {
    /**
     * Goes on as far as is possible without blocking. Called by one thread at a time, any thread of the rank, each call
     * after the one before it (happens-before).
     *
     * @return true if it has got further
     * @throws RuntimeException if the operation has failed; it is not called again
     */
    boolean advance();

    /** True if and only if there is nothing left to do. */
    boolean isOver();

    /** In words, e.g. {@code "bcast (binomial)"}; may be called by any thread at any time. */
    String operation();

    /** The collective that it is; null if it is none. May be called by any thread at any time. */
    default @Nullable Collective collective() {
        return null;
    }

    /** The rank that has to act next, or {@link Device#ANY_SOURCE}; may be called by any thread at any time. */
    int awaitedPeer();
}
