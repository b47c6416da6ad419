package org.galerna.link.ofi.connecting;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.galerna.link.process.PeerTimeout;

/**
 * Peers whose first message the provider has not taken. Some providers try for ever to reach a place where nobody is any more; so a
 * peer that says meanwhile by the control link that it is there is lost after the timeout of peers, and one that does not say so,
 * since it is stopped, is waited for. The manager's thread.
 */
final class FirstMessages {
    /** How long a provider may take to connect before anybody asks. */
    private static final long ASKED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<Integer, Wait> waits = new HashMap<>();

    private static final class Wait {
        private final long since = System.nanoTime();
        private boolean asked;
        private boolean answered;
    }

    /** A first message to a peer waits. */
    void add(int peer) {
        waits.putIfAbsent(peer, new Wait());
    }

    /** A peer says that it is there. */
    void answer(int peer) {
        Wait wait = waits.get(peer);
        if (wait != null) {
            wait.answered = true;
        }
    }

    /**
     * Looks at all of them.
     *
     * @param over whether a peer is waited for no more
     * @param ask asks a peer whether it is there
     * @param lost is told of each peer that is, and is not reached
     */
    void look(IntPredicate over, IntConsumer ask, IntConsumer lost) {
        Iterator<Map.Entry<Integer, Wait>> all = waits.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Integer, Wait> each = all.next();
            Wait wait = each.getValue();
            long nanos = System.nanoTime() - wait.since;
            if (over.test(each.getKey())) {
                all.remove();
            } else if (!wait.asked && nanos >= ASKED_NANOS) {
                wait.asked = true;
                ask.accept(each.getKey());
            } else if (wait.answered && nanos >= PeerTimeout.nanos()) {
                all.remove();
                lost.accept(each.getKey());
            }
        }
    }
}
