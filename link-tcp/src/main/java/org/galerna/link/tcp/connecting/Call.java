package org.galerna.link.tcp.connecting;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to open a connection to a peer, at each of its addresses in turn, again and again until its time is over. A
 * peer whose system has let a connection in may be stopped, and has as much time again. All times are those of the manager's
 * {@link AttentiveClock}.
 */
public final class Call {
    /** Each round takes longer than the one before, because the system of a peer that is stopped keeps only so many. */
    private static final long LONGEST_ROUND_NANOS = TimeUnit.MINUTES.toNanos(1);

    final int peer;
    final int purpose;
    final int subject;
    long deadline;
    private final long nanos;
    private long round;
    private int rounds;
    private boolean kept;
    private int putOff;

    /** When it began to wait for room for one more connection; negative if it does not. */
    long waitsSince = -1;

    /** It has waited for room long enough, or there was some. */
    boolean hasWaited;

    /** It waits for its turn among the calls of this rank. */
    boolean isQueued;

    /** It is one of the calls that are made now, see {@link Calls}. */
    boolean hasTurn;

    /** When it has to give its turn away. */
    long turnEnds;

    /** The connection that it is made by. */
    @Nullable
    Handshaking underWay;

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
        this.nanos = nanos;
        this.round = nanos;
        this.deadline = now + nanos;
    }

    /** A call that the peer makes: this rank only waits for it. */
    static Call awaited(int peer, int purpose, long now, long nanos) {
        Call call = new Call(peer, purpose, 0, List.of(), now, nanos);
        call.due = call.deadline;
        call.obstacle = "it has not called";
        return call;
    }

    /** Its time begins now. */
    void begin(long now) {
        due = now;
        deadline = now + nanos;
    }

    /** The address to try now. */
    SocketAddress candidate() {
        return candidates.get(next);
    }

    /** Whether there is one address alone. */
    boolean hasOneCandidate() {
        return candidates.size() == 1;
    }

    /** A connection that was let in has been silent for its part of the time. */
    void wasSilent() {
        kept = true;
    }

    /** Whether a connection that was let in at a time has been silent for so long that its peer may be stopped. */
    boolean isKept(long letIn, long now) {
        return now - letIn >= nanos / 2;
    }

    /** A connection that was let in at a time has broken before anything came of it. */
    void broken(long letIn, long now) {
        boolean wasStopped = isKept(letIn, now);
        deadline = wasStopped ? now + nanos : Math.min(deadline, now + nanos);
    }

    /**
     * The time is over.
     *
     * @param isKept whether there is a connection of that kind now
     * @return whether it begins anew, because there is one or has been one
     */
    boolean beginAnew(boolean isKept, long now) {
        if (!isKept && !kept) {
            return false;
        }
        kept = false;
        rounds++;
        round = Math.min(2 * round, Math.max(nanos, LONGEST_ROUND_NANOS));
        deadline = now + round;
        return true;
    }

    /** The peer has answered that it is to be called later. Returns how often it has. */
    int putOff(long now) {
        deadline = Math.max(deadline, now + nanos);
        return ++putOff;
    }

    /** How often it has begun anew. */
    int rounds() {
        return rounds;
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
