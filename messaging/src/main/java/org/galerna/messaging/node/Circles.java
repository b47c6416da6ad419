package org.galerna.messaging.node;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.galerna.messaging.waiting.HandlerThread;

/**
 * Finds out that receivers wait for answers of nodes which may wait for this node: all handlers wait for answers while
 * messages wait for a handler, or one waits for an answer of a node whose next ordered message waits for that handler. The log
 * says so when it has lasted for a second, once until it is over. Used by the guard.
 */
final class Circles {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NodeParts node;
    private final Crew crew;
    private boolean seen;
    private boolean said;
    private long since;

    Circles(NodeParts node, Crew crew) {
        this.node = node;
        this.crew = crew;
    }

    void check() {
        if (!crew.isWaiting()) {
            seen = false;
            return;
        }
        List<Integer> waits = crew.waitsFor();
        Set<Integer> asked = new TreeSet<>(waits);
        asked.remove(HandlerThread.NOBODY);
        Set<Integer> waiting = waits.contains(HandlerThread.NOBODY)
                ? new TreeSet<>()
                : node.dispatcher().waiting();
        asked.stream().filter(node.dispatcher()::isHeldUp).forEach(waiting::add);
        if (waiting.isEmpty()) {
            seen = false;
            return;
        }
        long now = System.nanoTime();
        if (!seen) {
            seen = true;
            said = false;
            since = now;
        } else if (!said && now - since >= PATIENCE_NANOS) {
            said = true;
            say(waits, asked, waiting);
        }
    }

    private void say(List<Integer> waits, Set<Integer> asked, Set<Integer> waiting) {
        long held = waits.stream().filter(each -> each != HandlerThread.NOBODY).count();
        node.failures()
                .report(
                        () -> held + " of " + waits.size() + " handlers wait for answers of " + nodes(asked)
                                + ", while messages of " + nodes(waiting)
                                + " wait for these handlers. If the nodes ask each other in a circle, none of them goes on"
                                + " before a time limit ends it: receive such types with Handling.VIRTUAL, answer them"
                                + " later with receiveAsync, or give more handlers and Handling.CONCURRENT",
                        null);
    }

    private static String nodes(Set<Integer> nodes) {
        return nodes.size() == 1 ? "node " + nodes.iterator().next() : "nodes " + nodes;
    }
}
