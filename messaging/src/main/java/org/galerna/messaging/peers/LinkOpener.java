package org.galerna.messaging.peers;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Reach;
import org.galerna.link.pair.LinkChoice;
import org.galerna.link.pair.PairWireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.messaging.NodeConfig;
import org.galerna.messaging.counters.NodeCounters;
import org.galerna.messaging.handshake.AcceptorEntrance;
import org.galerna.messaging.handshake.Introduction;
import org.galerna.messaging.handshake.PendingStreams;
import org.galerna.messaging.handshake.SecureCall;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.serialization.TypeLayout;
import org.galerna.messaging.support.NodeLog;
import org.galerna.messaging.wire.MessageContents;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;

/** Opens the link of two nodes that have proved the key to each other, and the one of a node with itself. Any thread. */
final class LinkOpener {
    /** What is done with a link that is open. */
    @FunctionalInterface
    interface Use {
        /** Uses it; if this throws, the link is closed. */
        void begin(Link link, int rankOfPeer, Introduction.Peer said);
    }

    private final NodeConfig config;
    private final PendingStreams streams;
    private final NodeCounters counters;
    private final LinkOptions options;
    private final Introduction introduction;

    LinkOpener(NodeConfig config, PendingStreams streams, NodeCounters counters, TypeTable types) {
        this.introduction = new Introduction(config.window(), config.maximumMessage(), layouts(types), offered(types));
        config.links().forEach(LinkOpener::checkSettings);
        this.config = config;
        this.streams = streams;
        this.counters = counters;
        this.options = new LinkOptions(config.slots(), config.frameBytes(), true);
    }

    /** Now, since nobody can do anything about it when the first node calls. */
    private static void checkSettings(String link) {
        try {
            LinkProvider.named(link).checkSettings();
        } catch (CommunicationException unusable) {
            throw new IllegalArgumentException("link " + link + ": " + unusable.getMessage(), unusable);
        }
    }

    Link loopback() {
        InProcessWireup wireup = InProcessWireup.create(1, (_, _, _) -> {}).getFirst();
        Link link = LinkProvider.within(Reach.PROCESS).open(wireup, options);
        wireup.fence();
        return link;
    }

    /** Of the program's types that are records. */
    private static Map<Integer, Introduction.Known> layouts(TypeTable types) {
        Map<Integer, Introduction.Known> known = new HashMap<>();
        for (WireType<?> each : types.all()) {
            if (!TypeTable.isInternal(each.id()) && each.serializer() instanceof RecordSerializer<?> derived) {
                known.put(each.id(), new Introduction.Known(each.version(), each.toString(), derived.layout()));
            }
        }
        return known;
    }

    private static Map<Long, TypeLayout> offered(TypeTable types) {
        Map<Long, TypeLayout> offered = new HashMap<>();
        for (WireType<?> each : types.all()) {
            MessageContents<?> contents = each.contents();
            if (contents != null) {
                offered.putAll(contents.offered());
            }
        }
        return offered;
    }

    private Introduction.Peer introduce(SecureCall call, int node) {
        try {
            return introduction.exchange(call, node);
        } catch (IOException failed) {
            throw new CommunicationException(
                    "node " + node + " has not said what it takes: " + failed.getMessage(), failed);
        }
    }

    /** Opens a link over a call that was accepted; both sides do. */
    void open(SecureCall call, int node, Use use) {
        int own = config.id();
        Introduction.Peer said = introduce(call, node);
        String job = "messaging-" + Math.min(own, node) + "-" + Math.max(own, node) + "-" + call.name();
        AcceptorEntrance entrance = new AcceptorEntrance(call, own, node, streams);
        try (PairWireup wireup = new PairWireup(call, job, own < node ? 0 : 1, entrance, "node " + node)) {
            LinkChoice choice = LinkChoice.open(config.links(), wireup, options, call.remainingNanos());
            Link link = choice.link();
            if (!choice.failed().isEmpty()) {
                counters.countFallback();
                NodeLog.LOGGER.log(
                        Level.WARNING,
                        "node {0}: the link with node {1} is {2}, because another one does not work ({3})",
                        String.valueOf(own),
                        String.valueOf(node),
                        link.name(),
                        String.join("; ", choice.failed()));
            }
            try {
                use.begin(link, 1 - wireup.rank(), said);
            } catch (RuntimeException failed) {
                link.close();
                throw failed;
            }
        }
    }
}
