package org.galerna.link.tcp;

import java.net.SocketAddress;
import java.util.List;

/**
 * An attempt to open a connection to a peer, at each of its addresses in turn, again and again until its time is over. All
 * times are those of the keeper's {@link AttentiveClock}.
 */
final class Call {
    final int peer;
    final int purpose;
    final int subject;
    final long deadline;
    private final List<SocketAddress> candidates;
    private int next;
    private int refused;

    /** When to try next. */
    long due;

    /** Why it has not succeeded yet. */
    String obstacle = "it does not answer";

    Call(int peer, int purpose, int subject, List<SocketAddress> candidates, long now, long nanos) {
        this.peer = peer;
        this.purpose = purpose;
        this.subject = subject;
        this.candidates = candidates;
        this.due = now;
        this.deadline = now + nanos;
    }

    /** A call that the peer makes: this rank only waits for it. */
    static Call awaited(int peer, int purpose, long now, long nanos) {
        Call call = new Call(peer, purpose, 0, List.of(), now, nanos);
        call.due = call.deadline;
        call.obstacle = "it has not called";
        return call;
    }

    /** The address to try now. */
    SocketAddress candidate() {
        return candidates.get(next);
    }

    /** Gives every address a part of what is left, so that one that swallows everything does not cost all the time. */
    long patience(long now) {
        return Math.max(1, (deadline - now) / (candidates.size() - next));
    }

    /**
     * Nobody listens at the address.
     *
     * @return false if nobody does at any: the process is gone
     */
    boolean refuse() {
        refused++;
        boolean anyLeft = refused < candidates.size();
        advance();
        return anyLeft;
    }

    /** The address has not worked for another reason. */
    void advance() {
        next++;
        if (next == candidates.size()) {
            next = 0;
            refused = 0;
        }
    }
}
