package org.galerna.device.matching.sending;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The peers of a rank that something waits for: there was no room for it. Any thread. */
public final class Backlogs {
    private static final int MOST_DOUBLINGS = 20;

    private final AtomicInteger count = new AtomicInteger(); // read at each look for messages
    private final Set<Peer> waiting = ConcurrentHashMap.newKeySet();
    private int vain; // sleeps in a row after which nothing could be sent; a racy hint

    /** Whether nothing waits. */
    public boolean areEmpty() {
        return count.getAcquire() == 0;
    }

    /** The first frame waits for this peer; inside the peer's lock. */
    void begin(Peer peer) {
        waiting.add(peer);
        if (count.getAndIncrement() == 0) {
            vain = 0;
        }
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
        if (sent > 0) {
            vain = 0;
        }
        return sent;
    }

    /**
     * How long to sleep until the next look for room, whatever wakes the sleeper earlier: twice as long each time that there was
     * none. So a rank waits for a peer at most twice as long as necessary, and ranks that wait do not take the processors
     * from those that they wait for.
     */
    public long nextSleep(long least, long most) {
        int before = vain;
        vain = Math.min(before + 1, MOST_DOUBLINGS);
        return Math.min(most, least << before);
    }
}
