package org.galerna.messaging.dispatch;

import static org.galerna.messaging.wire.Frames.HEADER_BYTES;

import org.galerna.messaging.MessagingException;
import org.galerna.messaging.counters.NodeCounters;
import org.galerna.messaging.events.NodeEvents;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.outbound.SendScratch;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.support.NodeLife;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/** Hands messages to their receivers. Used by one handler. */
public final class Deliverer {
    /** Processed bytes are told to the connection in portions of this. */
    private static final int ACCOUNTED_BYTES = 8 * 1024;

    private final @Nullable ReceiverBinding<?>[] bindings;
    private final @Nullable ReceiverBinding<?>[] internal;
    private final TypeTable types;
    private final NodeLife life;
    private final NodeCounters counters;
    private final FailureLog failures;
    private final NodeEvents events;
    private final VirtualDeliveries virtual;
    private final Importer importer = new Importer();
    private MessageContext messages = MessageContext.ofMessages(0); // of the node that has sent the last one
    private long received;

    /** For one handler of a node. */
    public Deliverer(
            ReceiverTable receivers,
            TypeTable types,
            NodeLife life,
            NodeCounters counters,
            FailureLog failures,
            NodeEvents events,
            VirtualDeliveries virtual) {
        this.bindings = receivers.bind();
        this.internal = receivers.bindInternal();
        this.types = types;
        this.life = life;
        this.counters = counters;
        this.failures = failures;
        this.events = events;
        this.virtual = virtual;
    }

    /** Messages handed to receivers. */
    public long received() {
        return received;
    }

    /** How messages of the program's types are received, by the numbers of the types. */
    @Nullable
    ReceiverBinding<?>[] bindings() {
        return bindings;
    }

    /** Hands messages that lie one behind the other, padded to 8 bytes, to their receivers. */
    void deliverAll(Origin origin, byte[] memory, int end) {
        int unaccounted = 0;
        int count = 0;
        try {
            for (int next = 0; next < end && !life.isStopping(); ) {
                int at = next;
                long header = Frames.word(memory, at);
                int length = Frames.length(header);
                boolean request = Frames.kind(header) == Frames.REQUEST;
                int headerBytes = request ? Frames.REQUEST_HEADER_BYTES : HEADER_BYTES;
                int cost = Credit.cost(length);
                next += cost;
                if (!request || isInTime(Frames.word(memory, at + Frames.LIMIT_OFFSET))) {
                    importer.begin(memory, at + headerBytes, length - headerBytes, Frames.version(header));
                    long id = request ? Frames.word(memory, at + HEADER_BYTES) : 0;
                    RequestResponder asked = request
                            ? new RequestResponder(origin, id, Frames.word(memory, at + Frames.LIMIT_OFFSET))
                            : null;
                    if (deliver(origin, asked, Frames.type(header), cost, null)) {
                        continue; // the thread that has it accounts for it
                    }
                }
                unaccounted += cost;
                count++;
                if (unaccounted >= ACCOUNTED_BYTES) {
                    origin.processed(count, unaccounted);
                    unaccounted = 0;
                    count = 0;
                }
            }
        } finally {
            importer.end();
        }
        origin.processed(count, unaccounted);
    }

    /** Hands a message that came in pieces to its receiver. Returns false if it was handed to another thread, which ends it. */
    boolean deliver(Origin origin, WholeMessage whole) {
        long header = Frames.word(whole.first(), 0);
        boolean request = Frames.kind(header) == Frames.REQUEST;
        if (request && !isInTime(Frames.word(whole.first(), Frames.LIMIT_OFFSET))) {
            return true;
        }
        SendScratch scratch = SendScratch.ofThread();
        scratch.handles(whole);
        try {
            whole.begin(importer, request ? Frames.REQUEST_HEADER_BYTES : HEADER_BYTES, Frames.version(header));
            long id = request ? Frames.word(whole.first(), HEADER_BYTES) : 0;
            RequestResponder asked =
                    request ? new RequestResponder(origin, id, Frames.word(whole.first(), Frames.LIMIT_OFFSET)) : null;
            return !deliver(origin, asked, Frames.type(header), 0, whole);
        } finally {
            importer.end();
            scratch.handles(null);
        }
    }

    /** Nobody waits for the answer to a request that comes too late. */
    private boolean isInTime(long deadline) {
        if (System.nanoTime() - deadline <= 0) {
            return true;
        }
        counters.countExpired();
        return false;
    }

    /** Returns whether a virtual thread has taken it, which accounts for it when its receiver has returned. */
    private boolean deliver(
            Origin origin, @Nullable RequestResponder asked, int type, int cost, @Nullable WholeMessage whole) {
        if (asked != null && origin.late().isFull()) {
            refuse(origin, asked);
            return false;
        }
        ReceiverBinding<?> binding = type < bindings.length ? bindings[type] : internal(type);
        if (binding != null && binding.isVirtual()) {
            return handOn(binding, origin, asked, type, cost, whole);
        }
        MessageContext context = asked != null ? MessageContext.ofRequest(asked) : contextOfMessages(origin.peer());
        context.begin();
        try {
            if (binding == null) {
                throw new IllegalStateException("no receiver is registered for messages of type " + type);
            }
            if (binding.count(whole == null ? cost : whole.length())) {
                long begin = System.nanoTime();
                binding.receive(importer, context);
                measured(binding, begin);
            } else {
                binding.receive(importer, context);
            }
        } catch (Throwable thrown) { // whatever it is, the next message is not to blame
            report(origin.peer(), type, thrown);
            if (binding != null) {
                binding.countFailure();
            }
            if (!life.isInterrupting()) { // then the request fails because this node is gone
                context.failed(thrown);
            }
        } finally {
            end(context, origin);
        }
        if (Thread.currentThread().isInterrupted()) {
            boolean ignored = Thread.interrupted(); // by this receiver: the next one is not to suffer for it
        }
        received++;
        return false;
    }

    private @Nullable ReceiverBinding<?> internal(int type) {
        return TypeTable.isInternal(type) ? internal[type - TypeTable.FIRST_INTERNAL_ID] : null;
    }

    private boolean handOn(
            ReceiverBinding<?> binding,
            Origin origin,
            @Nullable RequestResponder asked,
            int type,
            int cost,
            @Nullable WholeMessage whole) {
        received++;
        boolean measured = binding.count(whole == null ? cost : whole.length());
        ReceiverBinding.Handover message;
        try {
            message = binding.read(importer);
        } catch (Throwable unreadable) {
            report(origin.peer(), type, unreadable);
            binding.countFailure();
            if (asked != null) {
                asked.failed(unreadable);
            }
            return false;
        }
        virtual.run(() -> {
            SendScratch scratch = SendScratch.ofThread();
            scratch.handles(whole);
            MessageContext context =
                    asked == null ? MessageContext.ofMessages(origin.peer()) : MessageContext.ofRequest(asked);
            context.begin();
            long begin = measured ? System.nanoTime() : 0;
            try {
                message.to(context);
                if (measured) {
                    measured(binding, begin);
                }
            } catch (Throwable thrown) {
                report(origin.peer(), type, thrown);
                binding.countFailure();
                if (!life.isInterrupting()) {
                    context.failed(thrown);
                }
            } finally {
                end(context, origin);
                scratch.handles(null);
                if (whole != null) {
                    whole.processed();
                } else {
                    origin.processed(1, cost);
                }
            }
        });
        return true;
    }

    private static void end(MessageContext context, Origin origin) {
        context.end();
        RequestResponder late = context.late();
        if (late != null) {
            origin.late().add(late);
        }
    }

    /** Nothing of it is read. */
    private void refuse(Origin origin, RequestResponder asked) {
        String text = "there are " + origin.late().most() + " requests of node " + origin.peer()
                + " that are to be answered later, as many as there may be";
        events.limit(origin.peer(), text);
        try {
            asked.fail(MessagingException.Reason.OVERLOADED, text);
        } catch (MessagingException gone) {
            // then the request fails with its connection
        }
    }

    private void measured(ReceiverBinding<?> binding, long begin) {
        long nanos = System.nanoTime() - begin;
        binding.handling().record(nanos);
        events.handled(binding.type().type(), nanos);
    }

    /** A receiver has thrown, or a message could not be read. */
    private void report(int sender, int type, Throwable thrown) {
        counters.countReceiverFailure();
        WireType<?> known = types.find(type);
        failures.report(
                () -> "a message of node " + sender + " of type " + (known == null ? String.valueOf(type) : known)
                        + " was not received",
                thrown);
    }

    private MessageContext contextOfMessages(int sender) {
        MessageContext known = messages;
        if (!known.isFrom(sender)) {
            known = MessageContext.ofMessages(sender);
            messages = known;
        }
        return known;
    }
}
