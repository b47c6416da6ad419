package org.galerna.messaging.peers;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.link.CommunicationException;
import org.galerna.link.pair.NoLinkException;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.support.NodeLog;

/** Logs why nodes that call get no connection: they call again and again, and hear it themselves as well. Any thread. */
final class Obstacles {
    private final int own;
    private final FailureLog failures;
    private final Map<Integer, String> logged = new ConcurrentHashMap<>(); // the last one of each node

    /** Of a node, which logs there. */
    Obstacles(int own, FailureLog failures) {
        this.own = own;
        this.failures = failures;
    }

    /** A node has called, and there is no connection: logged where somebody has to do something, and once. */
    void failed(int node, CommunicationException failure) {
        String obstacle = String.valueOf(failure.getMessage());
        if (!(failure instanceof NoLinkException)) {
            NodeLog.LOGGER.log(
                    Level.DEBUG,
                    "node {0}: no connection with node {1}: {2}",
                    String.valueOf(own),
                    String.valueOf(node),
                    obstacle);
        } else if (!Objects.equals(obstacle, logged.put(node, obstacle))) {
            failures.report(() -> "no connection with node " + node + ": " + obstacle, null);
        }
    }

    /** There is a connection. */
    void connected(int node) {
        logged.remove(node);
    }
}
