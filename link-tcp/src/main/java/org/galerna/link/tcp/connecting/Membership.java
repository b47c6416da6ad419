package org.galerna.link.tcp.connecting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.galerna.link.FrameHandler;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.stream.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Who of the job is there, and how far the connection to each has got. Safe for use by many threads; calls nobody while
 * it holds its lock.
 */
public final class Membership {
    /** How far it has got with a peer. */
    private enum State {
        /** Nobody has said anything yet. */
        STRANGER,

        /** This rank opens a connection. */
        CALLING,

        /** The peer has opened one and was let in; the handshake is about to end. */
        ADMITTED,

        CONNECTED,

        /** It has left or is lost. */
        GONE
    }

    private final int rank;
    private final IntPredicate yields;
    private final State[] states;
    private final @Nullable String[] reasons;
    private final boolean[] lost; // it is gone, and has not said goodbye
    private final boolean[] wanted; // this rank has called
    private final boolean[] reported;
    private final boolean[] told; // it knows that this rank leaves, or is gone
    private final Connection[] connections;
    private volatile Connection[] connected = {};
    private volatile boolean stopped;

    /** Counts the peers that are gone; a change tells the polling thread to report. */
    public final AtomicInteger departures = new AtomicInteger();

    /**
     * Nobody is there yet.
     *
     * @param yields whether the connection that a peer has opened is used where both open one; both sides agree
     * @param maker makes what a connection to a peer will be used by
     */
    public Membership(int rank, int size, IntPredicate yields, IntFunction<Connection> maker) {
        this.rank = rank;
        this.yields = yields;
        this.states = new State[size];
        Arrays.fill(states, State.STRANGER);
        this.reasons = new String[size];
        this.lost = new boolean[size];
        this.wanted = new boolean[size];
        this.reported = new boolean[size];
        this.told = new boolean[size];
        this.connections = new Connection[size];
        for (int peer = 0; peer < size; peer++) {
            connections[peer] = maker.apply(peer);
        }
    }

    /** Number of ranks of the job. */
    int size() {
        return states.length;
    }

    public Connection connection(int peer) {
        return connections[peer];
    }

    /** The connections to poll, until the peer's end was reported. */
    public Connection[] connected() {
        return connected;
    }

    public boolean isStopped() {
        return stopped;
    }

    // ---- coming

    /** Whether the caller is to open a connection to the peer: nobody has begun to. */
    public synchronized boolean call(int peer) {
        if (stopped || states[peer] != State.STRANGER) {
            return false;
        }
        states[peer] = State.CALLING;
        wanted[peer] = true;
        return true;
    }

    /** Whether the call to a peer is still wanted: it has not come the other way round. */
    synchronized boolean isCalling(int peer) {
        return states[peer] == State.CALLING;
    }

    public synchronized boolean isConnected(int peer) {
        return states[peer] == State.CONNECTED;
    }

    /** What is to become of a connection that a peer has opened, who has proved itself. */
    synchronized int admit(Hello hello) {
        int peer = hello.from();
        State state = states[peer];
        if (hello.purpose() == Hello.GOODBYE) {
            told[peer] = true;
            goneUnlessConnected(peer, FrameHandler.LEFT, false);
            return Handshake.ACCEPTED;
        }
        if (hello.purpose() == Hello.LOST) {
            goneUnlessConnected(hello.subject(), "rank " + peer + " has lost the connection to it", true);
            return Handshake.ACCEPTED;
        }
        if (state == State.GONE) {
            return Handshake.GIVEN_UP;
        }
        if (stopped) {
            told[peer] = true;
            return Handshake.LEAVING;
        }
        if (hello.purpose() == Hello.ROUSE) {
            return Handshake.ACCEPTED;
        }
        if (state == State.STRANGER || (state == State.CALLING && yields.test(peer))) {
            states[peer] = State.ADMITTED;
            return Handshake.ACCEPTED;
        }
        return Handshake.LATER;
    }

    /**
     * The connection that was let in has ended before the handshake has.
     *
     * @return true if the caller is to open one, because this rank had wanted to
     */
    synchronized boolean dismiss(int peer) {
        if (states[peer] != State.ADMITTED) {
            return false;
        }
        states[peer] = wanted[peer] && !stopped ? State.CALLING : State.STRANGER;
        return states[peer] == State.CALLING;
    }

    /**
     * The handshake with a peer is complete.
     *
     * @param incoming whether the peer has opened the connection
     * @return false if the connection is not wanted any more
     */
    synchronized boolean establish(int peer, boolean incoming) {
        if (states[peer] != (incoming ? State.ADMITTED : State.CALLING)) {
            return false;
        }
        states[peer] = State.CONNECTED;
        Connection[] grown = Arrays.copyOf(connected, connected.length + 1);
        grown[grown.length - 1] = connections[peer];
        connected = grown;
        return true;
    }

    // ---- going

    /** A peer is gone, for whatever reason; true if that is news. */
    public synchronized boolean gone(int peer, String reason, boolean isLost) {
        if (states[peer] == State.GONE || peer == rank) {
            return false;
        }
        states[peer] = State.GONE;
        reasons[peer] = reason;
        lost[peer] = isLost;
        told[peer] = true;
        connections[peer].close();
        departures.incrementAndGet();
        return true;
    }

    /** As {@link #gone}, for what is known by hearsay: a connection of one's own knows better. */
    public synchronized boolean goneUnlessConnected(int peer, String reason, boolean isLost) {
        return states[peer] != State.CONNECTED && gone(peer, reason, isLost);
    }

    /** Peers that are gone and were not asked for yet. */
    public synchronized List<Departure> unreported() {
        List<Departure> departed = new ArrayList<>();
        for (int peer = 0; peer < states.length; peer++) {
            if (states[peer] == State.GONE && !reported[peer]) {
                reported[peer] = true;
                String reason = reasons[peer];
                departed.add(new Departure(peer, reason == null ? FrameHandler.LEFT : reason, lost[peer]));
            }
        }
        return departed;
    }

    /** Ends the polling of a peer's connection. */
    public synchronized void forget(int peer) {
        connected = Arrays.stream(connected).filter(each -> each.peer() != peer).toArray(Connection[]::new);
    }

    /** The next rank, in a circle, that is not gone; this rank itself if nobody is left. */
    synchronized int successor() {
        int next = rank;
        do {
            next = (next + 1) % states.length;
        } while (next != rank && states[next] == State.GONE);
        return next;
    }

    /** Whether this rank is the one that tells the others: it comes before the peer in the circle of those that are left. */
    public synchronized boolean precedes(int peer) {
        int next = rank;
        do {
            next = (next + 1) % states.length;
        } while (next != peer && next != rank && states[next] == State.GONE);
        return next == peer;
    }

    /** Peers that are neither connected nor gone. */
    public synchronized List<Integer> strangers() {
        List<Integer> peers = new ArrayList<>();
        for (int peer = 0; peer < states.length; peer++) {
            if (peer != rank && states[peer] != State.CONNECTED && states[peer] != State.GONE) {
                peers.add(peer);
            }
        }
        return peers;
    }

    // ---- leaving

    /**
     * This rank leaves: nobody is let in any more.
     *
     * @return true at the first call
     */
    public synchronized boolean stop() {
        boolean first = !stopped;
        stopped = true;
        for (Connection each : connections) {
            each.close();
        }
        return first;
    }

    /** The peer knows that this rank leaves, or cannot be told. */
    public synchronized void told(int peer) {
        told[peer] = true;
    }

    /** Whether every peer knows that this rank leaves, and has taken what was sent to it. */
    public synchronized boolean isDrained() {
        return isDrained(_ -> false);
    }

    /** Whether every peer is gone, has been told that this rank leaves, or has what the connection to it was for. */
    public synchronized boolean isDrained(Predicate<Connection> delivered) {
        for (int peer = 0; peer < states.length; peer++) {
            if (peer != rank
                    && states[peer] != State.GONE
                    && !(states[peer] == State.CONNECTED ? delivered.test(connections[peer]) : told[peer])) {
                return false;
            }
        }
        return true;
    }
}
