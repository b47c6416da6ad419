package org.galerna.device.matching.sending;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The peers of a rank that something waits for: there was no room for it. Any thread. */
public final class Backlogs {
    private final AtomicInteger count = new AtomicInteger(); // read at each look for messages
    private final Set<Peer> waiting = ConcurrentHashMap.newKeySet();

    /** Whether nothing waits. */
    public boolean areEmpty() {
        return count.getAcquire() == 0;
    }

    /** The first frame waits for this peer; inside the peer's lock. */
    void begin(Peer peer) {
        waiting.add(peer);
        count.incrementAndGet();
    }

    /** Nothing waits for this peer any more; inside the peer's lock. */
    void end(Peer peer) {
        count.decrementAndGet();
        waiting.remove(peer);
    }

    /** Sends what there is room for. Returns the number of frames sent. */
    public int flush() {
        int sent = 0;
        for (Peer peer : waiting) {
            sent += peer.flushBacklog();
        }
        return sent;
    }
}
