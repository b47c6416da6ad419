package org.galerna.messaging.node;

import java.util.List;
import org.galerna.messaging.MetricsListener;
import org.galerna.messaging.NodeConfig;
import org.galerna.messaging.connection.ConnectionContext;
import org.galerna.messaging.connection.Poller;
import org.galerna.messaging.connection.ReceiveContext;
import org.galerna.messaging.counters.NodeCounters;
import org.galerna.messaging.dispatch.BatchPool;
import org.galerna.messaging.dispatch.Deliverer;
import org.galerna.messaging.dispatch.Dispatcher;
import org.galerna.messaging.dispatch.ReceiverTable;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.dispatch.VirtualDeliveries;
import org.galerna.messaging.events.NodeEvents;
import org.galerna.messaging.outbound.SendContext;
import org.galerna.messaging.pending.Completions;
import org.galerna.messaging.pending.PendingRequests;
import org.galerna.messaging.support.CoarseClock;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.support.NodeLife;
import org.galerna.messaging.waiting.HandlerWakeup;
import org.galerna.messaging.waiting.ResponseWaiters;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/** What the threads of a node share. */
public final class NodeParts {
    private final NodeConfig config;
    private final ReceiverTable receivers;
    private final TypeTable types;
    private final NodeLife life = new NodeLife();
    private final NodeCounters counters = new NodeCounters();
    private final CoarseClock clock = new CoarseClock();
    private final HandlerWakeup wakeup = new HandlerWakeup();
    private final ResponseWaiters waiters = new ResponseWaiters(clock, wakeup);
    private final FailureLog failures;
    private final NodeEvents events;
    private final PendingRequests requests;
    private final Completions completions;
    private final Dispatcher dispatcher;
    private final VirtualDeliveries virtual;
    private final Poller poller;
    private final ConnectionContext connections;

    NodeParts(
            NodeConfig config,
            List<WireType<?>> known,
            List<Registration<?>> receivers,
            long lastRequest,
            @Nullable MetricsListener metrics,
            FailureLog failures,
            ConnectionContext.Loss loss) {
        this.config = config;
        this.types = new TypeTable(known);
        this.receivers = new ReceiverTable(receivers);
        this.failures = failures;
        this.events = new NodeEvents(config.id(), metrics, failures);
        this.requests = new PendingRequests(lastRequest, counters, events);
        this.completions = new Completions(threadName("future"), failures, wakeup);
        this.dispatcher = new Dispatcher(config.handlers(), waiters, wakeup);
        this.virtual = new VirtualDeliveries(threadName("receiver"));
        this.poller = new Poller(wakeup, completions, failures);
        SendContext send =
                new SendContext(types, counters.sent(), config.maximumMessage(), config.sendTimeout(), wakeup, poller);
        ReceiveContext receive = new ReceiveContext(
                types,
                this.receivers,
                config.maximumMessage(),
                new BatchPool(),
                dispatcher,
                requests,
                completions,
                counters);
        this.connections = new ConnectionContext(
                threadName(""), config.window(), config.lateAnswers(), send, receive, clock, events, loss);
    }

    /** Name of a thread of this node. */
    String threadName(String what) {
        return "galerna-messaging-" + config.id() + "-" + what;
    }

    /** For one handler. */
    Deliverer newDeliverer() {
        return new Deliverer(receivers, types, life, counters, failures, events, virtual);
    }

    /** Receivers on virtual threads. */
    VirtualDeliveries virtual() {
        return virtual;
    }

    NodeConfig config() {
        return config;
    }

    NodeLife life() {
        return life;
    }

    NodeCounters counters() {
        return counters;
    }

    CoarseClock clock() {
        return clock;
    }

    HandlerWakeup wakeup() {
        return wakeup;
    }

    FailureLog failures() {
        return failures;
    }

    /** Tells what happens. */
    NodeEvents events() {
        return events;
    }

    Completions completions() {
        return completions;
    }

    TypeTable types() {
        return types;
    }

    /** Threads that wait for responses. */
    public ResponseWaiters waiters() {
        return waiters;
    }

    /** Requests without a response. */
    public PendingRequests requests() {
        return requests;
    }

    /** What waits for handlers. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Looks at the connections. */
    public Poller poller() {
        return poller;
    }

    /** What connections need. */
    public ConnectionContext connections() {
        return connections;
    }

    /** What sends need; tells nodes from each other. */
    public SendContext send() {
        return connections.send();
    }
}
