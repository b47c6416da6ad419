package org.galerna.messaging.outbound;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.galerna.link.process.ShortTurns;
import org.galerna.messaging.coalescing.RateGate;
import org.galerna.messaging.counters.SentCounts;
import org.galerna.messaging.flow.AdvanceHolder;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.waiting.WaitLine;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/**
 * What one thread needs to send: above all a place where it writes a message before it claims room for it, so that its
 * length is known then, and no serializer holds up what others have claimed behind it.
 */
public final class SendScratch implements RoomWait.Waiter {
    /** A connection that this thread sends to. */
    public interface Destination extends RoomWait.Sender {
        /** For a thread that has not sent to it yet. */
        RateGate newGate();

        /** Whether nothing is sent to it any more. */
        boolean isClosed();

        /** Whether it is of that node. */
        boolean isOf(SendContext context);

        /** Sends what the thread has gathered, and sets everything moving. */
        void flush(SendScratch scratch, RateGate gate);
    }

    /** {@link #write}: the message does not fit into a frame. */
    public static final int TOO_LONG = -1;

    private static final ThreadLocal<SendScratch> OF_THREAD = ThreadLocal.withInitial(SendScratch::new);

    private static final int FIRST_BYTES = 256;
    private static final int GROWTH = 4;

    /** Thrown through serializers when an object is longer than the space for it. */
    public static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Full() {
            super("longer than the space for it", null, false, false);
        }
    }

    /** The one that is thrown on this thread: it has no trace, and need not be made each time. */
    final Full full = new Full();

    /** Writes into one piece, and throws {@link #full} at its end. */
    final Exporter exporter = new Exporter(_ -> {
        throw full;
    });

    private byte[] bytes = new byte[FIRST_BYTES];
    private int writes;
    private final RoomWait wait = new RoomWait();
    private boolean busy;
    private boolean waited;
    private boolean hasShortTurns;
    private @Nullable List<DeferredSend> deferred;
    private final Map<Destination, RateGate> gates = new HashMap<>();
    private @Nullable Destination lastDestination;
    private @Nullable RateGate lastGate;
    private @Nullable SendContext lastContext;
    private @Nullable Class<?> lastClass;
    private @Nullable WireType<?> lastType;
    private @Nullable AdvanceHolder handled;

    // what this thread counts of what it sends; of one node at a time
    private final boolean virtual = Thread.currentThread().isVirtual();
    private Map<Integer, SentCounts.Tally> tallies = new HashMap<>();
    private @Nullable SentCounts talliedBy;
    private @Nullable WireType<?> talliedType;
    private SentCounts.@Nullable Tally tally;

    private SendScratch() {}

    /** That of the calling thread. */
    public static SendScratch ofThread() {
        return OF_THREAD.get();
    }

    /** Asks for short turns on the processor for this thread, once. */
    public void askForShortTurns() {
        if (!hasShortTurns) {
            hasShortTurns = true;
            ShortTurns.ask();
        }
    }

    /** The type that objects of this class are sent as; mostly that of the message before. */
    @SuppressWarnings("unchecked") // filed under its class
    public <T> WireType<T> typeOf(SendContext context, T message) {
        WireType<?> known = lastType;
        if (known != null && message.getClass() == lastClass && context == lastContext) {
            return (WireType<T>) known;
        }
        WireType<T> type = context.types().of(message);
        lastContext = context;
        lastClass = message.getClass();
        lastType = type;
        return type;
    }

    /** Counts a message that was sent, with its header and padding. */
    void countSent(SendContext context, WireType<?> type, long length) {
        SentCounts.Tally known = tally;
        if (known == null || type != talliedType || context.sent() != talliedBy) {
            if (virtual || TypeTable.isInternal(type.id())) {
                if (!TypeTable.isInternal(type.id())) {
                    context.sent().add(type.id(), length);
                }
                return;
            }
            known = tallyOf(context.sent(), type);
        }
        known.add(length);
    }

    private SentCounts.Tally tallyOf(SentCounts counts, WireType<?> type) {
        if (counts != talliedBy) {
            tallies = new HashMap<>();
            talliedBy = counts;
        }
        SentCounts.Tally known = tallies.get(type.id());
        if (known == null) {
            known = counts.tally(type.id());
            tallies.put(type.id(), known);
        }
        talliedType = type;
        tally = known;
        return known;
    }

    /** The gate of this thread to a connection. */
    public RateGate gate(Destination destination) {
        RateGate gate = lastGate;
        if (gate == null || destination != lastDestination) {
            gate = gates.get(destination);
            if (gate == null) {
                gates.keySet().removeIf(Destination::isClosed);
                gate = destination.newGate();
                gates.put(destination, gate);
            }
            lastDestination = destination;
            lastGate = gate;
        }
        return gate;
    }

    /** Sends what this thread has gathered for connections of a node. */
    public void flush(SendContext context) {
        checkIdle();
        for (Map.Entry<Destination, RateGate> each : gates.entrySet()) {
            if (each.getKey().isOf(context)) {
                each.getKey().flush(this, each.getValue());
            }
        }
    }

    /** The message in pieces that this thread hands to its receiver; null if it is none, or not any more. */
    public void handles(@Nullable AdvanceHolder message) {
        handled = message;
    }

    /** This thread may be about to wait for other nodes. */
    @Override
    public void giveUpAdvance() {
        AdvanceHolder message = handled;
        if (message != null) {
            message.giveUpAdvance();
        }
    }

    /** A send begins. Fails if a serializer of this thread is at work. */
    public void beginSend() {
        checkIdle();
        waited = false;
    }

    /** Whether the send has not waited before. */
    @Override
    public boolean isFirstWait() {
        boolean first = !waited;
        waited = true;
        return first;
    }

    /** Fails if a serializer of this thread is at work. */
    public void checkIdle() {
        if (busy) {
            throw new IllegalStateException("a serializer must not send");
        }
    }

    /** A serializer begins to write. */
    public void enter() {
        checkIdle();
        busy = true;
    }

    /** The serializer has ended. */
    public void leave() {
        busy = false;
    }

    /**
     * Writes a message with its header.
     *
     * @param longest bytes with the header, at most
     * @return its length, or {@link #TOO_LONG}
     */
    public <T> int write(WireType<T> type, int kind, long id, T message, int longest) {
        writes++;
        int header = Frames.headerBytes(kind);
        while (true) {
            int written = writeAfter(header, type, message, Math.min(longest, bytes.length));
            if (written >= 0) {
                int length = header + written;
                Frames.setWord(bytes, 0, Frames.withLength(Frames.header(kind, type.version(), type.id()), length));
                if (kind != Frames.MESSAGE) {
                    Frames.setWord(bytes, Frames.HEADER_BYTES, id);
                }
                return length;
            }
            if (bytes.length >= longest) {
                return TOO_LONG;
            }
            bytes = new byte[Math.min(longest, GROWTH * bytes.length)];
        }
    }

    private <T> int writeAfter(int header, WireType<T> type, T message, int limit) {
        enter();
        try {
            exporter.begin(bytes, header, limit - header);
            type.serializer().write(message, exporter);
            return exporter.written();
        } catch (Full thrown) {
            if (thrown != full) {
                throw thrown;
            }
            return TOO_LONG;
        } finally {
            exporter.end();
            leave();
        }
    }

    /** What {@link #write} has written; until the next one. */
    public byte[] bytes() {
        return bytes;
    }

    /** Number of {@link #write}s so far: after a wait it shows whether the message is still there. */
    public int writes() {
        return writes;
    }

    /** Bytes that an object takes; fails if they are more than a message may have. */
    public <T> long measure(SendContext context, WireType<T> type, T message) {
        enter();
        try {
            return Exporter.measure(message, type.serializer(), context.maximumMessage());
        } finally {
            leave();
        }
    }

    /** The bytes of an object, for later. */
    public <T> byte[] bytesOf(SendContext context, WireType<T> type, T message) {
        long length = measure(context, type, message);
        byte[] written = new byte[Math.toIntExact(length)];
        enter();
        try {
            exporter.begin(written, 0, written.length);
            type.serializer().write(message, exporter);
            if (exporter.written() != length) {
                throw new IllegalStateException("a message of " + type + " changes while it is written");
            }
        } catch (Full thrown) {
            throw thrown == full
                    ? new IllegalStateException("a message of " + type + " changes while it is written")
                    : thrown;
        } finally {
            exporter.end();
            leave();
        }
        return written;
    }

    // ---- what is sent later

    /** Whether something of this thread may still have to be sent, to any node. */
    public boolean hasDeferred() {
        return deferred != null;
    }

    /** The last thing of this thread for a node that is still to be sent; null if there is none. */
    public @Nullable DeferredSend lastDeferred(SendContext context, int node) {
        List<DeferredSend> known = deferred;
        if (known == null) {
            return null;
        }
        known.removeIf(DeferredSend::isSettled);
        if (known.isEmpty()) {
            deferred = null;
        }
        for (DeferredSend each : known) {
            if (each.goesTo(context, node)) {
                return each;
            }
        }
        return null;
    }

    /** Whatever this thread sends to that node goes behind this. */
    public void defer(DeferredSend last) {
        List<DeferredSend> known = deferred;
        if (known == null) {
            known = new ArrayList<>();
            deferred = known;
        }
        known.removeIf(last::follows);
        known.add(last);
    }

    /** The waiting of this thread for room; valid until the next one is asked for. */
    RoomWait wait(SendContext context, long deadline, Destination destination, @Nullable WaitLine line) {
        RoomWait known = wait;
        if (known.isAwaiting()) { // what runs while this thread waits may wait as well
            known = new RoomWait();
        }
        known.begin(this, context.progress(), deadline, destination, line, true);
        return known;
    }
}
