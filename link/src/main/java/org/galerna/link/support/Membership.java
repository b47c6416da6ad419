package org.galerna.link.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.FrameHandler;
import org.jspecify.annotations.Nullable;

/** Which peers have left or are lost, and which of that was reported. Safe for use by many threads. */
public final class Membership {
    /** Of a peer that is lost and not one that has left: nobody knows how many of its messages are to come. */
    public static final long UNKNOWN = -1;

    /** A peer that is gone and was not reported yet. */
    public record Departure(int peer, String reason, long messages, long since) {}

    private final int rank;
    private final @Nullable Departure[] departures;
    private final boolean[] reported;
    private final long[] announced; // messages that a peer has sent before it left; UNKNOWN while it is there

    /** Counts the departures that are not reported yet. */
    public final AtomicInteger pending = new AtomicInteger();

    /** Everybody is there. */
    public Membership(int rank, int size) {
        this.rank = rank;
        this.departures = new Departure[size];
        this.reported = new boolean[size];
        this.announced = new long[size];
        Arrays.fill(announced, UNKNOWN);
    }

    /** A peer says that it leaves, having sent so many messages. */
    public synchronized void announce(int peer, long messages) {
        announced[peer] = messages;
    }

    /** A peer is not there any more, because it has left if it has {@linkplain #announce said} so; true if that is news. */
    public synchronized boolean leave(int peer, String reason) {
        return depart(peer, reason, announced[peer]);
    }

    /** A peer is lost; true if that is news. */
    public synchronized boolean lose(int peer, String reason) {
        Departure before = departures[peer];
        if (before != null && before.messages != UNKNOWN && !reported[peer]) {
            departures[peer] = new Departure(peer, before.reason, UNKNOWN, before.since); // no more will come
            return true;
        }
        // one that has said that it leaves may have closed its end already
        return depart(peer, announced[peer] == UNKNOWN ? reason : FrameHandler.LEFT, UNKNOWN);
    }

    private boolean depart(int peer, String reason, long messages) {
        if (peer == rank || departures[peer] != null) {
            return false;
        }
        departures[peer] = new Departure(peer, reason, messages, System.nanoTime());
        pending.incrementAndGet();
        return true;
    }

    /** Whether a peer of whom so many messages have come sends no more: it has said that it leaves, or is gone. */
    public synchronized boolean hasSentAll(int peer, long received) {
        return departures[peer] != null || (announced[peer] != UNKNOWN && received >= announced[peer]);
    }

    /** Whether a peer is not there any more. */
    public synchronized boolean isGone(int peer) {
        return departures[peer] != null;
    }

    /** Those who are gone and were not reported. */
    public synchronized List<Departure> unreported() {
        List<Departure> list = new ArrayList<>();
        for (Departure each : departures) {
            if (each != null && !reported[each.peer]) {
                list.add(each);
            }
        }
        return list;
    }

    /** It is reported now. */
    public synchronized void report(int peer) {
        if (!reported[peer]) {
            reported[peer] = true;
            pending.decrementAndGet();
        }
    }
}
