package org.galerna.link.tcp;

import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

/**
 * Notices peers that say nothing any more, and says something itself. Each rank is watched by the one before it, in a
 * circle of those that are left, so that somebody notices the end of a rank that has never talked to anybody.
 */
final class Liveness {
    /** Pulses after which a rank that has not talked to its successor opens a connection to it. */
    private static final int WATCH_AFTER = 2;

    private final int rank;
    private final Membership membership;
    private final Timing timing;
    private final BiConsumer<Integer, String> lost;
    private final IntConsumer watch;
    private final int[] silent;
    private int pulses;

    /**
     * Nobody is missed yet.
     *
     * @param lost told of a peer that is lost, and why
     * @param watch asked to open a connection to a peer
     */
    Liveness(int rank, Membership membership, Timing timing, BiConsumer<Integer, String> lost, IntConsumer watch) {
        this.rank = rank;
        this.membership = membership;
        this.timing = timing;
        this.lost = lost;
        this.watch = watch;
        this.silent = new int[membership.size()];
    }

    /** A pulse. */
    void beat() {
        pulses++;
        for (Connection each : membership.connected()) {
            each.out().beat();
            listen(each);
        }
        int next = membership.successor();
        if (pulses >= WATCH_AFTER && next != rank && !membership.isStopped()) {
            watch.accept(next);
        }
    }

    private void listen(Connection connection) {
        Inbound in = connection.in();
        if (in == null) {
            return;
        }
        int peer = connection.peer();
        if (in.takeHeard()) {
            silent[peer] = 0;
        }
        // only looks that found nothing count: what a busy rank has not read may be a sign of life
        if (in.takeLooked() && ++silent[peer] >= timing.silentPulses()) {
            lost.accept(peer, "nothing was heard of it for " + timing.peerNanos() / 1_000_000 + " ms");
        }
    }
}
