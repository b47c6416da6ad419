package org.galerna.messaging.management;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.galerna.messaging.LatencyHistogram;
import org.galerna.messaging.NodeHealth;
import org.galerna.messaging.NodeMxBean;
import org.galerna.messaging.NodeStatistics;
import org.galerna.messaging.PeerStatistics;
import org.galerna.messaging.TypeStatistics;
import org.galerna.messaging.support.NodeLog;

/** Registers a node with the platform's server of JMX. */
public final class NodeManagement {
    private NodeManagement() {}

    /**
     * Registers a node. What goes wrong is logged: a node serves without JMX, too.
     *
     * @return takes it back
     */
    public static Runnable register(
            int id, InetSocketAddress address, Supplier<NodeStatistics> statistics, Supplier<NodeHealth> health) {
        try {
            ObjectName name = new ObjectName("org.galerna:type=Node,id=" + id);
            Bean bean = new Bean(id, address.toString(), statistics, health);
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new StandardMBean(bean, NodeMxBean.class, true), name);
            return () -> forget(name);
        } catch (JMException | RuntimeException | LinkageError failed) { // a runtime image may be without JMX
            NodeLog.LOGGER.log(Level.WARNING, "node " + id + " cannot be seen by JMX: " + failed);
            return () -> {};
        }
    }

    private static void forget(ObjectName name) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            server.unregisterMBean(name);
        } catch (JMException gone) {
            NodeLog.LOGGER.log(Level.DEBUG, "{0} is not registered any more", name);
        }
    }

    private record Bean(int id, String address, Supplier<NodeStatistics> statistics, Supplier<NodeHealth> health)
            implements NodeMxBean {
        @Override
        public int getId() {
            return id;
        }

        @Override
        public String getAddress() {
            return address;
        }

        @Override
        public boolean isClosed() {
            return health.get().closed();
        }

        @Override
        public long getSent() {
            return statistics.get().sent();
        }

        @Override
        public long getReceived() {
            return statistics.get().received();
        }

        @Override
        public int getPendingRequests() {
            return statistics.get().pendingRequests();
        }

        @Override
        public int getConnections() {
            return statistics.get().connections();
        }

        @Override
        public long getLateResponses() {
            return statistics.get().lateResponses();
        }

        @Override
        public long getExpiredRequests() {
            return statistics.get().expiredRequests();
        }

        @Override
        public long getReceiverFailures() {
            return statistics.get().receiverFailures();
        }

        @Override
        public long getBlockedSends() {
            return statistics.get().blockedSends();
        }

        @Override
        public long getRefusedCallers() {
            return statistics.get().refusedCallers();
        }

        @Override
        public int getBusyHandlers() {
            return health.get().busyHandlers();
        }

        @Override
        public long getLongestBusyMillis() {
            return health.get().longestBusy().toMillis();
        }

        @Override
        public List<Peer> getPeers() {
            return statistics.get().peers().stream().map(Bean::peer).toList();
        }

        @Override
        public List<Type> getTypes() {
            return statistics.get().types().stream().map(Bean::type).toList();
        }

        private static Peer peer(PeerStatistics peer) {
            TreeMap<String, Long> failed = new TreeMap<>();
            peer.failed().forEach((reason, count) -> failed.put(reason.name(), count));
            return new Peer(
                    peer.node(),
                    peer.link(),
                    peer.sent(),
                    peer.sentBytes(),
                    peer.handled(),
                    peer.handledBytes(),
                    peer.underWay(),
                    peer.blockedSends(),
                    peer.waited().toMillis(),
                    peer.answered(),
                    failed,
                    micros(peer.latency(), 50),
                    micros(peer.latency(), 99),
                    micros(peer.latency(), 99.9));
        }

        private static Type type(TypeStatistics type) {
            return new Type(
                    type.type(),
                    type.name(),
                    type.sent(),
                    type.sentBytes(),
                    type.received(),
                    type.receivedBytes(),
                    type.failures(),
                    micros(type.handling(), 50),
                    micros(type.handling(), 99));
        }

        private static long micros(LatencyHistogram histogram, double percentile) {
            Duration time = histogram.percentile(percentile);
            return TimeUnit.NANOSECONDS.toMicros(time.toNanos());
        }
    }
}
