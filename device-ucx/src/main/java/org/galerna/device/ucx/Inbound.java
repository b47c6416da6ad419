package org.galerna.device.ucx;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.link.counters.PeerCounters;
import org.galerna.nativeaccess.ucx.UcxWorker;

/** What this rank receives. UCX brings messages and receives together. Guarded by the engine's lock. */
final class Inbound {
    private final Engine engine;
    private final UcxWorker worker;
    private final Tags tags;
    private final Operations operations;
    private final UnexpectedMessages unexpected;
    private final Fetches fetches;
    private final ControlReceiver control;
    private final Deque<ReceiveRequest> released = new ArrayDeque<>();
    private boolean closed;
    private boolean withdrawing;

    Inbound(Engine engine, UcxWorker worker, Operations operations) {
        this.engine = engine;
        this.worker = worker;
        this.tags = engine.tags();
        this.operations = operations;
        this.unexpected = new UnexpectedMessages(engine, worker, operations);
        this.fetches = new Fetches(engine, worker, operations);
        this.control = new ControlReceiver(engine, worker, operations);
    }

    void listen() {
        control.listen();
    }

    UnexpectedMessages unexpected() {
        return unexpected;
    }

    Fetches fetches() {
        return fetches;
    }

    ReceiveRequest take() {
        ReceiveRequest receive = released.pollLast();
        return receive == null ? new ReceiveRequest(engine, new Arrival(engine)) : receive;
    }

    void giveBack(ReceiveRequest receive) {
        engine.lock();
        try {
            released.addLast(receive);
        } finally {
            engine.unlock();
        }
    }

    /** Gives a receive the oldest message that is there for it, or lets it wait for one. */
    void post(ReceiveRequest receive) {
        int source = receive.wantedSource();
        Arrival found = unexpected.take(source, receive.tag, receive.context);
        if (found != null) {
            give(found, receive);
            return;
        }
        Arrival arrival = receive.arrival;
        arrival.restart();
        arrival.receiver = receive;
        long request = worker.receive(
                arrival.slot,
                Arrival.HEADER + engine.eagerLimit(),
                tags.wanted(source, receive.context, receive.tag),
                tags.mask(source, receive.tag),
                arrival.receive(worker));
        if (UcxWorker.isError(request)) {
            arrival.receiver = null;
            arrival.leaveSlot();
            fail(receive, worker.describe(request));
        } else if (request == 0) {
            arrived(arrival, 0);
        } else {
            arrival.context = receive.context;
            operations.add(arrival, request);
        }
    }

    private void fail(ReceiveRequest receive, String reason) {
        receive.endWith(new DeviceException(
                ErrorClass.OTHER,
                "rank " + engine.rank() + ": " + receive.operation() + " has failed: UCX: " + reason));
    }

    /** A message is complete in its slot, or its receive has failed. */
    void arrived(Arrival arrival, int error) {
        ReceiveRequest receive = arrival.receiver;
        if (error == 0) {
            arrival.markComplete();
        }
        if (receive != null) {
            arrival.receiver = null;
            if (error != 0) {
                arrival.leaveSlot();
            }
            if (error == UcxWorker.CANCELLED) {
                if (!withdrawing && !closed) { // an adapter that matches by itself has taken its time
                    engine.completes();
                    receive.completeCancelled();
                }
                return;
            }
            if (error != 0) {
                fail(receive, worker.describe(error));
            } else {
                give(arrival, receive);
            }
        } else if (closed) {
            return; // nobody wants it any more
        } else if (error != 0) {
            unexpected.failed(arrival, error);
        } else {
            unexpected.completed(arrival);
        }
    }

    /** Brings a message and a receive together. */
    void give(Arrival arrival, ReceiveRequest receive) {
        if (!arrival.isComplete() || arrival.fetching) {
            arrival.receiver = receive;
            return;
        }
        receive.isFrom(arrival.source, arrival.tag);
        Peer sender = engine.peer(arrival.source);
        engine.meet(sender);
        PeerCounters counters = sender.counters;
        if (arrival.isAnnounced()) {
            counters.receivedAnnouncement(receive.context, arrival.length());
        } else {
            counters.received(receive.context, 1, arrival.length());
        }
        MemorySegment kept = arrival.kept;
        if (arrival.failure != null) {
            fetches.fail(receive, arrival.source, arrival.failure);
        } else if (kept != null) {
            arrival.kept = null;
            receive.deliver(kept, arrival.length(), receive.taken(arrival.length()));
            engine.staging().give(kept);
        } else if (arrival.isAnnounced()) {
            fetches.fetch(arrival, receive);
        } else {
            receive.deliver(arrival);
            if (arrival.isSynchronous()) {
                engine.outbound().control(arrival.source, Control.MATCHED, arrival.number(), 0);
            }
            owe(arrival);
        }
        recycle(arrival, receive);
    }

    /** A short message needs no credit any more. */
    void owe(Arrival arrival) {
        long owed = engine.peer(arrival.source).owe(arrival.length());
        if (owed > 0) {
            engine.outbound().control(arrival.source, Control.CREDIT, 0, owed);
        }
    }

    private void recycle(Arrival arrival, ReceiveRequest receive) {
        arrival.leaveSlot();
        if (arrival != receive.arrival) {
            unexpected.recycle(arrival);
        }
    }

    // ---- what is posted

    boolean isPosted(ReceiveRequest receive) {
        engine.lock();
        try {
            return receive.arrival.request != 0 && receive.arrival.receiver == receive;
        } finally {
            engine.unlock();
        }
    }

    /** Takes a receive back that has no message; false if it is too late. */
    boolean withdraw(ReceiveRequest receive) {
        engine.lock();
        try {
            Arrival arrival = receive.arrival;
            if (arrival.request == 0 || arrival.receiver != receive) {
                return false;
            }
            worker.cancel(arrival.request);
            int status = worker.status(arrival.request);
            if (status == UcxWorker.IN_PROGRESS) {
                return false; // the first of several pieces has come
            }
            withdrawing = true;
            operations.finish(arrival, status);
            return status == UcxWorker.CANCELLED;
        } finally {
            withdrawing = false;
            engine.unlock();
        }
    }

    boolean hasReceives(int context) {
        engine.lock();
        try {
            return operations.any(
                    each -> each instanceof Arrival arrival && arrival.receiver != null && arrival.context == context);
        } finally {
            engine.unlock();
        }
    }

    boolean isIdle(int context) {
        engine.lock();
        try {
            unexpected.pull(context);
            return unexpected.isEmpty(context) && !hasReceives(context);
        } finally {
            engine.unlock();
        }
    }

    /** Takes back all that waits for messages. */
    void close() {
        closed = true;
        control.close();
        operations.cancel(Operation::isReceive);
    }
}
