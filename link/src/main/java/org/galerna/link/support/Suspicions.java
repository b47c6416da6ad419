package org.galerna.link.support;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;

/**
 * Peers whose connections are broken: for a while the control link may say whether they have left or died, and then they are lost.
 * The manager's thread.
 */
public final class Suspicions {
    /** How long a broken connection waits for the control link to say whether the peer has left or died. */
    public static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<Integer, Suspicion> byPeer = new HashMap<>();

    private record Suspicion(String reason, long since) {}

    /** A peer may be lost; the first reason counts. */
    public void add(int peer, String reason) {
        byPeer.putIfAbsent(peer, new Suspicion(reason, System.nanoTime()));
    }

    /** What has become of a peer is known. */
    public void remove(int peer) {
        byPeer.remove(peer);
    }

    /**
     * Takes out those that are certain.
     *
     * @param hasSentAll whether nothing more can come of a peer; of one that leaves messages may still be on their way, by iWARP
     *     also after the news of its end
     * @param lost is told of each, and why
     */
    public void confirm(IntPredicate hasSentAll, BiConsumer<Integer, String> lost) {
        if (byPeer.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        for (Map.Entry<Integer, Suspicion> each : List.copyOf(byPeer.entrySet())) {
            int peer = each.getKey();
            if (now - each.getValue().since >= NANOS || hasSentAll.test(peer)) {
                byPeer.remove(peer);
                lost.accept(peer, each.getValue().reason);
            }
        }
    }
}
