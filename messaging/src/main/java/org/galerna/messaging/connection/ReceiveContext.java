package org.galerna.messaging.connection;

import org.galerna.messaging.counters.NodeCounters;
import org.galerna.messaging.dispatch.BatchPool;
import org.galerna.messaging.dispatch.Dispatcher;
import org.galerna.messaging.dispatch.ReceiverTable;
import org.galerna.messaging.pending.Completions;
import org.galerna.messaging.pending.PendingRequests;
import org.galerna.messaging.wire.TypeTable;

/**
 * What all connections of a node need to receive.
 *
 * @param types that the node knows
 * @param receivers of the types that it receives
 * @param maximumMessage bytes that a message may have
 * @param batches where messages lie
 * @param dispatcher gives messages to handlers
 * @param requests that wait for responses
 * @param completions end them
 * @param counters of the node
 */
public record ReceiveContext(
        TypeTable types,
        ReceiverTable receivers,
        long maximumMessage,
        BatchPool batches,
        Dispatcher dispatcher,
        PendingRequests requests,
        Completions completions,
        NodeCounters counters) {}
