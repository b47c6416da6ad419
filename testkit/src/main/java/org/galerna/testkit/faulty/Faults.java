package org.galerna.testkit.faulty;

import java.time.Duration;

/**
 * What goes wrong on one rank's link. The same seed gives the same decisions in the same order of calls.
 *
 * @param seed of all decisions
 * @param longestDelay frames, completions and reports are held back for a random time up to this, each peer's in their order:
 *     so those of several peers overtake each other
 * @param pressure probability with which a claim is refused although there is room
 * @param lostPeer rank that is lost, or {@link #NOBODY}
 * @param framesBeforeLoss frames that come from that peer before
 */
public record Faults(long seed, Duration longestDelay, double pressure, int lostPeer, int framesBeforeLoss) {
    /** No rank. */
    public static final int NOBODY = -1;

    /** Nothing goes wrong. */
    public static final Faults NONE = new Faults(0, Duration.ZERO, 0, NOBODY, 0);

    /** Random delays and back-pressure. */
    public static Faults slow(long seed, Duration longestDelay, double pressure) {
        return new Faults(seed, longestDelay, pressure, NOBODY, 0);
    }

    /** The same, and the loss of a peer after so many of its frames. */
    public Faults losing(int peer, int frames) {
        return new Faults(seed, longestDelay, pressure, peer, frames);
    }

    /** The same for one rank of several, with decisions of its own. */
    Faults ofRank(int rank) {
        return new Faults(seed * 31 + rank, longestDelay, pressure, lostPeer, framesBeforeLoss);
    }

    boolean isNone() {
        return longestDelay.isZero() && pressure == 0 && lostPeer == NOBODY;
    }
}
