package org.galerna.sockets;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The connections that this process has accepted and that may become fast, by the cookies of their sockets, and the offers
 * for connections that it has not accepted yet. Any thread may call.
 *
 * <p>An offer and its connection find each other whichever comes first: each is entered, and then the other one is looked
 * for, so that at least one of the two sides finds both; taking the offer out decides which side does the work.
 */
final class Registry {
    private static final int MOST_WAITING = 4096;

    private final HostFolder folder;
    private final Settings settings;
    private final Map<Long, Entry> accepted = new ConcurrentHashMap<>();
    private final Map<Long, Offer> waiting = new ConcurrentHashMap<>();
    private final ReferenceQueue<TurningConnection> collected = new ReferenceQueue<>();

    /** A connection that nobody may keep from being collected. */
    private static final class Entry extends WeakReference<TurningConnection> {
        private final long cookie;

        Entry(TurningConnection connection, long cookie, ReferenceQueue<TurningConnection> queue) {
            super(connection, queue);
            this.cookie = cookie;
        }
    }

    Registry(HostFolder folder, Settings settings) {
        this.folder = folder;
        this.settings = settings;
    }

    /** A connection was accepted. */
    void accepted(long cookie, TurningConnection connection) {
        Reference<? extends TurningConnection> gone;
        while ((gone = collected.poll()) != null) {
            accepted.remove(((Entry) gone).cookie, gone);
        }
        accepted.put(cookie, new Entry(connection, cookie, collected));
        meet(cookie);
    }

    /** A connection is about to be closed. */
    void closed(long cookie) {
        accepted.remove(cookie);
    }

    /** A pipe is offered for the socket with this cookie. */
    void offered(Offer offer, long cookie) {
        if (waiting.size() < MOST_WAITING) {
            waiting.put(cookie, offer);
            meet(cookie);
        }
    }

    private void meet(long cookie) {
        Entry entry = accepted.get(cookie);
        @Nullable TurningConnection connection = entry == null ? null : entry.get();
        if (connection != null) {
            Offer offer = waiting.remove(cookie);
            if (offer != null) {
                offer.accept(folder, connection, settings);
            }
        }
    }

    void withdrawn(ControlConnection control, int id) {
        waiting.values().removeIf(offer -> offer.control() == control && offer.id() == id);
    }

    void ended(ControlConnection control) {
        waiting.values().removeIf(offer -> offer.control() == control);
    }
}
