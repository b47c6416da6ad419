package org.galerna.link.verbs.connection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The connections of a rank, however far they have got: one for each peer that somebody wanted to talk to. Safe for use by many threads. */
public final class Connections {
    private final AtomicReferenceArray<@Nullable Connection> byPeer;
    private final IntFunction<Connection> maker;
    private final List<Connection> all = new CopyOnWriteArrayList<>();

    /**
     * None yet.
     *
     * @param maker makes the one to a peer; called once for each, under the lock of this
     */
    public Connections(int ranks, IntFunction<Connection> maker) {
        this.byPeer = new AtomicReferenceArray<>(ranks);
        this.maker = maker;
    }

    /** The connection to a peer, made if there is none yet. */
    public Connection to(int peer) {
        Connection existing = byPeer.get(peer);
        return existing != null ? existing : make(peer);
    }

    private synchronized Connection make(int peer) {
        Connection existing = byPeer.get(peer);
        if (existing != null) {
            return existing;
        }
        Connection made = maker.apply(peer);
        byPeer.set(peer, made);
        all.add(made);
        return made;
    }

    /** The connection to whom a peer says to be; null if there is none. */
    @Nullable
    public Connection find(int peer) {
        return peer < byPeer.length() ? byPeer.get(peer) : null;
    }

    /** All; not to be changed. */
    public List<Connection> all() {
        return all;
    }

    /** The one whose queue pair has a number. */
    @Nullable
    Connection ofQueuePair(int number) {
        return all.stream().filter(each -> each.has(number)).findFirst().orElse(null);
    }

    /** The one whose queue pair lies at an address. */
    @Nullable
    public Connection at(long address) {
        return all.stream().filter(each -> each.isAt(address)).findFirst().orElse(null);
    }

    /** Whether one has something to send that it could not. */
    public boolean anyBlocked() {
        for (Connection each : all) {
            if (each.sends().isBlocked()) {
                return true;
            }
        }
        return false;
    }

    /** How many have a queue pair. */
    public int connected() {
        return (int) all.stream().filter(each -> each.pair() != null).count();
    }
}
