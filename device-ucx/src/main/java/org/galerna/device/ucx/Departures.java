package org.galerna.device.ucx;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.galerna.device.support.Membership;
import org.galerna.link.FrameHandler;
import org.galerna.link.Wireup;

/**
 * How ranks leave, in good order or not. A rank that leaves says first that it receives no more, and when all that it has sent
 * is where it belongs, that it sends no more. Guarded by the engine's lock.
 */
final class Departures {
    private final Engine engine;
    private final Wireup wireup;
    private final Membership membership;
    private final Peer[] peers;
    private final Deque<Failure> failures = new ArrayDeque<>();

    private record Failure(int peer, String reason) {}

    Departures(Engine engine, Wireup wireup, Membership membership, Peer[] peers) {
        this.engine = engine;
        this.wireup = wireup;
        this.membership = membership;
        this.peers = peers;
    }

    /** Takes note that the way to a peer is broken, for a reason in UCX's words; the next look acts on it. */
    void failed(int peer, String reason) {
        failures.addLast(new Failure(peer, reason));
    }

    boolean hasFailures() {
        return !failures.isEmpty();
    }

    /** Acts on what has failed; how much that was. */
    int progress() {
        int lost = 0;
        Failure failure;
        while ((failure = failures.pollFirst()) != null) {
            lose(failure.peer, "the connection to it is broken: " + failure.reason);
            lost++;
        }
        return lost;
    }

    /** A peer receives no more: what it has not fetched yet stays here. */
    void receivesNoMore(int rank, boolean inOrder) {
        peers[rank].receivesNoMore = true;
        engine.outbound().endSends(rank, inOrder);
    }

    /** A peer sends no more, and has got all that it wanted. */
    void left(int rank) {
        if (!peers[rank].gone) {
            receivesNoMore(rank, true);
            peers[rank].gone = true;
            membership.remove(rank, FrameHandler.LEFT, true);
            engine.outbound().control(rank, Control.SEEN, 0, 0);
            engine.completes();
        }
    }

    /** A peer has died, or cannot be reached; or it has left in good order before, and its process has ended. */
    void lose(int rank, String reason) {
        if (!peers[rank].gone) {
            peers[rank].gone = true;
            membership.remove(rank, reason, false);
            receivesNoMore(rank, false);
            engine.inbound().fetches().lost(rank);
            engine.completes();
        }
        peers[rank].owesAnswer = false;
        engine.disconnect(peers[rank], true);
    }

    /** Looks whether whatever has started the job knows of a rank that has died; takes and leaves the lock. */
    void watch() {
        for (Peer peer : peers) {
            if ((!peer.gone || peer.owesAnswer) && peer.rank != membership.rank()) {
                wireup.endOf(peer.rank).ifPresent(reason -> ended(peer.rank, reason));
            }
        }
    }

    /** The process of a peer has ended, in good order or not; takes and leaves the lock. */
    void ended(int rank, String reason) {
        engine.lock();
        try {
            engine.progress(true); // what it has sent before
            lose(rank, reason);
        } finally {
            engine.unlock();
        }
    }

    /** A peer has closed all that it had, after it had said that it leaves and got the answer; takes and leaves the lock. */
    void closed(int rank) {
        engine.lock();
        try {
            engine.progress(true); // what it has sent before
            if (peers[rank].gone) {
                engine.disconnect(peers[rank], true);
            }
        } finally {
            engine.unlock();
        }
    }

    /** Tells all that are there; takes and leaves the lock. */
    void tellAll(int operation) {
        engine.lock();
        try {
            for (Peer peer : peers) {
                if (peer.rank != membership.rank()) {
                    engine.outbound().control(peer.rank, operation, 0, 0);
                    peer.owesAnswer = operation == Control.GONE && !peer.gone;
                }
            }
        } finally {
            engine.unlock();
        }
    }

    /**
     * Whether all that were told know that this rank sends no more; takes and leaves the lock. A peer that leaves at the same time
     * answers, too: it is there until this rank has answered, which it does after it has told.
     */
    boolean isKnown() {
        engine.lock();
        try {
            return Arrays.stream(peers).noneMatch(peer -> peer.owesAnswer);
        } finally {
            engine.unlock();
        }
    }
}
