package org.galerna.device.ucx;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.galerna.device.Device;
import org.galerna.device.Status;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/**
 * Messages that have been taken out of UCX's queue before their receives have come, because somebody probes or takes a send
 * back. All of a context that have arrived are taken, in their order; so they are older than what is still in UCX's queue, and
 * receives look here first. Guarded by the engine's lock.
 */
final class UnexpectedMessages {
    private final Engine engine;
    private final UcxWorker worker;
    private final Operations operations;
    private final Tags tags;
    private final Map<Integer, List<Arrival>> held = new HashMap<>();
    private final Deque<Arrival> free = new ArrayDeque<>();
    private final List<Wish> postponed = new ArrayList<>();
    private int count;

    /** What a sender wants of a message: to take it back, or to have it fetched before it leaves. */
    private record Wish(int source, int number, int context, boolean toKeep) {}

    UnexpectedMessages(Engine engine, UcxWorker worker, Operations operations) {
        this.engine = engine;
        this.worker = worker;
        this.operations = operations;
        this.tags = engine.tags();
    }

    /** Takes the messages of a context that have arrived out of UCX's queue. */
    void pull(int context) {
        long message;
        while ((message = worker.take(
                        tags.wanted(Device.ANY_SOURCE, context, Device.ANY_TAG),
                        tags.mask(Device.ANY_SOURCE, Device.ANY_TAG)))
                != 0) {
            Arrival arrival = free.pollLast();
            if (arrival == null) {
                arrival = new Arrival(engine);
            }
            arrival.restart();
            arrival.identify(worker.takenTag());
            held.computeIfAbsent(context, _ -> new ArrayList<>()).add(arrival);
            count++;
            engine.peer(arrival.source).counters.unexpected();
            engine.membership().unexpected(arrival.source, count);
            long request = worker.receiveMessage(
                    message, arrival.slot, Arrival.HEADER + engine.eagerLimit(), arrival.receive(worker));
            if (request > 0) {
                operations.add(arrival, request);
            } else if (request == 0) {
                arrival.markComplete();
                arrival.moveOutOfSlot();
            } else {
                failed(arrival, request);
            }
        }
    }

    /** Takes the oldest one for such a receive; null if there is none, or UCX still has it. */
    @Nullable
    Arrival take(int source, int tag, int context) {
        if (count == 0) {
            return null;
        }
        Arrival found = find(source, tag, context);
        if (found != null) {
            remove(found);
        }
        return found;
    }

    private @Nullable Arrival find(int source, int tag, int context) {
        List<Arrival> ofContext = held.get(context);
        if (ofContext != null) {
            for (Arrival each : ofContext) {
                if ((source == Device.ANY_SOURCE || each.source == source)
                        && (tag == Device.ANY_TAG || each.tag == tag)) {
                    return each;
                }
            }
        }
        return null;
    }

    private void remove(Arrival arrival) {
        List<Arrival> ofContext = held.get(arrival.context);
        if (ofContext != null && ofContext.remove(arrival)) {
            count--;
            if (ofContext.isEmpty()) {
                held.remove(arrival.context);
            }
        }
    }

    /** The oldest message that is there for such a receive, left where it is. */
    @Nullable
    Status probe(int source, int tag, int context) {
        pull(context);
        Arrival found = find(source, tag, context);
        if (found == null || !found.isComplete()) {
            return null;
        }
        found.probed = true;
        return new Status(found.source, found.tag, found.length());
    }

    /** A sender takes a message back, which is in that context. */
    void cancel(int source, int number, int context) {
        grant(new Wish(source, number, context, false));
    }

    /** A sender leaves, whose announced message is in that context. */
    void keep(int source, int number, int context) {
        grant(new Wish(source, number, context, true));
    }

    private void grant(Wish wish) {
        pull(wish.context);
        for (Arrival each : List.copyOf(held.getOrDefault(wish.context, List.of()))) {
            if (each.source == wish.source && !each.isComplete()) {
                postponed.add(wish); // which one it is will be known when it is complete
                return;
            }
            boolean numbered = each.source == wish.source
                    && (each.isAnnounced() || each.isSynchronous())
                    && each.number() == wish.number;
            if (numbered && (wish.toKeep || each.probed)) {
                if (!each.isAnnounced()) {
                    engine.outbound().control(wish.source, Control.MATCHED, wish.number, 0);
                } else if (each.kept == null && !each.fetching && each.failure == null) {
                    engine.inbound().fetches().keep(each);
                }
                return;
            }
            if (numbered) {
                remove(each);
                if (!each.isAnnounced()) {
                    engine.inbound().owe(each);
                }
                free.addLast(each);
                engine.outbound().control(wish.source, Control.CANCELLED, wish.number, 0);
                return;
            }
        }
    }

    /** A message is complete, so that it is known which one it is. */
    void completed(Arrival arrival) {
        arrival.moveOutOfSlot();
        List<Wish> again = List.copyOf(postponed);
        postponed.clear();
        again.forEach(this::grant);
    }

    /** A message does not come, or not whole: the way from its sender is broken. */
    void failed(Arrival arrival, long error) {
        engine.departures().failed(arrival.source, worker.describe(error));
        remove(arrival);
        arrival.leaveSlot();
        recycle(arrival);
    }

    /** Takes back an arrival that is over. */
    void recycle(Arrival arrival) {
        free.addLast(arrival);
    }

    boolean isEmpty(int context) {
        return !held.containsKey(context);
    }
}
