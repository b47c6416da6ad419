package org.galerna.link.threads;

import java.util.ArrayList;
import java.util.List;
import org.galerna.link.FrameHandler;
import org.jspecify.annotations.Nullable;

/**
 * Tells a rank of each peer that has left, once and after the peer's last frame. Used by the polling thread alone.
 *
 * <p>Argument: a peer is found among those that have left by an acquire read, after all of its frames had been committed. So
 * they lie in its ring, or in the queue before the end that is read after that. When the queue has been taken up to there,
 * the peer's last ring is among those that are polled, and what is left in it is taken before the peer is reported.
 */
final class Departures {
    private final ThreadsLink link;
    private final Fabric fabric;
    private int seen;
    private final List<Integer> leaving = new ArrayList<>();
    private int queueEnd;

    Departures(ThreadsLink link, Fabric fabric) {
        this.link = link;
        this.fabric = fabric;
    }

    /** Reports those whose frames have all been taken. Returns the number of frames and peers told. */
    int report(FrameHandler handler, @Nullable ReceiveQueue queue) {
        if (leaving.isEmpty()) {
            for (int count = fabric.departures(); seen < count; seen++) {
                leaving.add(fabric.departed(seen));
            }
            queueEnd = queue == null ? 0 : queue.end();
        }
        if (queue != null && !queue.hasPassed(queueEnd)) {
            return 0;
        }
        int told = 0;
        for (int peer : leaving) {
            if (peer != link.rank()) {
                told += link.endRings(peer, handler) + 1;
                handler.onPeerLeft(peer);
            }
        }
        leaving.clear();
        return told;
    }

    /** Whether nobody has left who has not been reported. */
    boolean areReported() {
        return leaving.isEmpty() && seen == fabric.departures();
    }
}
