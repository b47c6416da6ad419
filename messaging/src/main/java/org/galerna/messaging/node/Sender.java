package org.galerna.messaging.node;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.flow.SendResult;
import org.galerna.messaging.outbound.DeferredSend;
import org.galerna.messaging.outbound.Outbound;
import org.galerna.messaging.outbound.RoomWait;
import org.galerna.messaging.outbound.SendContext;
import org.galerna.messaging.outbound.SendScratch;
import org.galerna.messaging.peers.Peers;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.WireType;

/** Sends messages to other nodes, by whichever connection there is. Any thread. */
public final class Sender {
    private final SendContext context;
    private final Peers peers;
    private final ConnectionEvents events;

    Sender(NodeParts node, Peers peers, ConnectionEvents events) {
        this.context = node.send();
        this.peers = peers;
        this.events = events;
    }

    /** Sends a message to one node. */
    public void send(int node, Object message) {
        SendScratch scratch = SendScratch.ofThread();
        send(scratch, node, scratch.typeOf(context, message), message);
    }

    private <T> void send(SendScratch scratch, int node, WireType<T> type, T message) {
        Peers.checkNode(node);
        if (scratch.hasDeferred()) {
            awaitDeferred(scratch, node, context.usualDeadline());
        }
        Connection connection = peers.get(node);
        if (connection.send(scratch, type, Frames.MESSAGE, 0, message, Outbound.USUAL_DEADLINE, true)
                == SendResult.SENT) {
            return; // without a look at the clock, which would take as long as half of this
        }
        long deadline = context.usualDeadline();
        do {
            retry(node, deadline); // the connection has just been lost, or perhaps ends: by the next one
        } while (peers.get(node).send(scratch, type, Frames.MESSAGE, 0, message, deadline, true) != SendResult.SENT);
    }

    /** Lets some time pass before the next attempt, or fails if the time is over. */
    static void retry(int node, long deadline) {
        if (System.nanoTime() - deadline > 0) {
            throw new MessagingException(
                    MessagingException.Reason.UNREACHABLE, "the connection to node " + node + " ends again and again");
        }
        Thread.yield();
    }

    /** Waits until what the calling thread has asked before has been sent to the node, or never will. */
    void awaitDeferred(SendScratch scratch, int node, long deadline) {
        DeferredSend deferred = scratch.lastDeferred(context, node);
        try {
            if (deferred != null && !deferred.awaitSettled(deadline - System.nanoTime())) {
                throw RoomWait.late();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw events.interrupted(node, MessagingException.Reason.TIMEOUT, interrupted);
        }
    }

    /** Whether what the calling thread has asked that node before is still to be sent. */
    boolean hasDeferred(SendScratch scratch, int node) {
        return scratch.hasDeferred() && scratch.lastDeferred(context, node) != null;
    }

    /** Sends a message to several nodes. All are tried, whatever happens to some. */
    public void send(Collection<Integer> nodes, Object message) {
        Map<Integer, RuntimeException> failures = new LinkedHashMap<>();
        for (int node : List.copyOf(nodes)) {
            try {
                send(node, message);
            } catch (MessagingException | IllegalArgumentException failed) {
                failures.put(node, failed);
            }
        }
        if (!failures.isEmpty()) {
            throw together(nodes.size(), failures);
        }
    }

    private static RuntimeException together(int nodes, Map<Integer, RuntimeException> failures) {
        String text = failures.entrySet().stream()
                .map(each -> "node " + each.getKey() + ": " + each.getValue().getMessage())
                .collect(Collectors.joining("; ", "not sent to " + failures.size() + " of " + nodes + " nodes: ", ""));
        RuntimeException first = failures.values().iterator().next();
        RuntimeException all = failures.values().stream()
                .filter(MessagingException.class::isInstance)
                .map(each -> ((MessagingException) each).reason())
                .findFirst()
                .<RuntimeException>map(reason -> new MessagingException(reason, text, first))
                .orElseGet(() -> new IllegalArgumentException(text, first));
        failures.values().stream().skip(1).forEach(all::addSuppressed);
        return all;
    }

    /** Sends a message if that is possible without waiting. */
    public boolean trySend(int node, Object message) {
        SendScratch scratch = SendScratch.ofThread();
        return trySend(scratch, node, scratch.typeOf(context, message), message);
    }

    private <T> boolean trySend(SendScratch scratch, int node, WireType<T> type, T message) {
        Peers.checkNode(node);
        if (hasDeferred(scratch, node)) {
            return false;
        }
        Connection connection = peers.find(node);
        if (connection == null) {
            return false;
        }
        int result = connection.send(scratch, type, Frames.MESSAGE, 0, message, 0, false);
        if (result == SendResult.TOO_LONG) {
            throw new IllegalArgumentException(
                    "a message of " + type + " is longer than what can be sent without waiting: send it");
        }
        return result == SendResult.SENT;
    }

    /** Sends what the calling thread has gathered, to all nodes. */
    public void flush() {
        SendScratch.ofThread().flush(context);
    }
}
