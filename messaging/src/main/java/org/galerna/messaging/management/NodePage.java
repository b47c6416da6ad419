package org.galerna.messaging.management;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.galerna.link.counters.ServiceCounters;
import org.galerna.messaging.NodeHealth;
import org.galerna.messaging.NodeStatistics;
import org.galerna.messaging.PeerStatistics;

/** What a node has done, for other processes of the user to read: the commands {@code galerna jobs} and {@code top}. */
public final class NodePage {
    private static final String KIND = "messaging";

    private NodePage() {}

    /**
     * Shows a node until what is returned is called.
     *
     * @param queued number of messages that wait for handlers
     * @param gathered number of messages that are gathered, and have not left yet
     */
    public static Runnable show(
            int id,
            Supplier<NodeStatistics> statistics,
            Supplier<NodeHealth> health,
            LongSupplier queued,
            LongSupplier gathered) {
        ServiceCounters shown = ServiceCounters.show(
                KIND, id, () -> counted(statistics.get(), health.get(), queued.getAsLong(), gathered.getAsLong()));
        return shown::close;
    }

    private static ServiceCounters.Counted counted(NodeStatistics done, NodeHealth health, long queued, long gathered) {
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("sent", done.sent());
        figures.put("received", done.received());
        figures.put("connections", (long) done.connections());
        figures.put("queuedForHandlers", queued);
        figures.put("gathered", gathered);
        figures.put("busyHandlers", (long) health.busyHandlers());
        figures.put("allThreads", (long) health.threads());
        figures.put("missingThreads", (long) health.missingThreads());
        figures.put("requestsPending", (long) done.pendingRequests());
        figures.put("requestsAnswered", done.responses());
        figures.put(
                "requestsFailed",
                done.peers().stream()
                        .flatMap(peer -> peer.failed().values().stream())
                        .mapToLong(Long::longValue)
                        .sum());
        figures.put("requestsExpired", done.expiredRequests());
        figures.put("lateResponses", done.lateResponses());
        figures.put("receiverFailures", done.receiverFailures());
        figures.put("blockedSends", done.blockedSends());
        figures.put(
                "blockedMillis",
                done.peers().stream()
                        .mapToLong(peer -> peer.waited().toMillis())
                        .sum());
        figures.put(
                "bytesInWindows",
                done.peers().stream().mapToLong(PeerStatistics::underWay).sum());
        figures.put("refusedCallers", done.refusedCallers());
        figures.put("fallbacks", done.fallbacks());
        return new ServiceCounters.Counted(
                figures,
                done.peers().stream()
                        .map(peer -> new ServiceCounters.Peer(
                                peer.node(), peer.sent(), peer.sentBytes(), peer.handled(), peer.handledBytes()))
                        .toList());
    }
}
