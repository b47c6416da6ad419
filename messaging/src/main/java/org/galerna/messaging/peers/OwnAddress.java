package org.galerna.messaging.peers;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.galerna.messaging.NodeConfig;

/** Where a node listens, and where it says that it does. */
final class OwnAddress {
    private OwnAddress() {}

    /** Where the node is to listen. */
    static InetSocketAddress listening(NodeConfig config) {
        return Objects.requireNonNull(config.addresses().get(config.id()));
    }

    /** What others are told, when the node listens at this address. */
    static InetSocketAddress advertised(NodeConfig config, InetSocketAddress listening) {
        InetSocketAddress said = config.advertised();
        if (said == null) {
            return listening;
        }
        return said.getPort() != 0
                ? said
                : InetSocketAddress.createUnresolved(said.getHostString(), listening.getPort());
    }
}
