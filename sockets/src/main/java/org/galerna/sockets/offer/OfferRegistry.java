package org.galerna.sockets.offer;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.pipe.PipeTransport;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * The connections that this process has accepted and that may become fast, by what both ends know them by, and the offers
 * for connections that it has not accepted yet. Any thread may call.
 *
 * <p>An offer and its connection find each other whichever comes first: each is entered, and then the other one is looked
 * for, so that at least one of the two sides finds both; taking the offer out decides which side does the work.
 *
 * @param <K> the cookie of the socket on one host, {@code Ends} between hosts
 */
public final class OfferRegistry<K> {
    private static final int MOST_WAITING = 4096;

    private final Settings settings;
    private final Map<K, Entry> accepted = new ConcurrentHashMap<>();
    private final Map<K, Offer> waiting = new ConcurrentHashMap<>();
    private final ReferenceQueue<UpgradableConnection> collected = new ReferenceQueue<>();

    /** A connection that nobody may keep from being collected. */
    private static final class Entry extends WeakReference<UpgradableConnection> {
        private final Object key;

        Entry(UpgradableConnection connection, Object key, ReferenceQueue<UpgradableConnection> queue) {
            super(connection, queue);
            this.key = key;
        }
    }

    public OfferRegistry(Settings settings) {
        this.settings = settings;
    }

    /** A connection was accepted. */
    public void accepted(K key, UpgradableConnection connection) {
        Reference<? extends UpgradableConnection> gone;
        while ((gone = collected.poll()) != null) {
            accepted.remove(((Entry) gone).key, gone);
        }
        accepted.put(key, new Entry(connection, key, collected));
        meet(key);
    }

    /** A connection is about to be closed. */
    public void closed(K key) {
        accepted.remove(key);
    }

    /** A pipe is offered for a connection. */
    public void offered(Offer offer, K key) {
        if (waiting.size() < MOST_WAITING) {
            waiting.put(key, offer);
            meet(key);
        }
    }

    private void meet(K key) {
        Entry entry = accepted.get(key);
        @Nullable UpgradableConnection connection = entry == null ? null : entry.get();
        if (connection != null) {
            Offer offer = waiting.remove(key);
            if (offer != null) {
                offer.accept(connection, settings);
            }
        }
    }

    public void withdrawn(PipeTransport carrier, int id) {
        waiting.values().removeIf(offer -> offer.carrier() == carrier && offer.id() == id);
    }

    public void ended(PipeTransport carrier) {
        waiting.values().removeIf(offer -> offer.carrier() == carrier);
    }
}
