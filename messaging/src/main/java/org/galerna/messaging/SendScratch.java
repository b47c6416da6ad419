package org.galerna.messaging;

import java.util.HashMap;
import java.util.Map;
import org.galerna.link.ShortTurns;
import org.galerna.messaging.serialization.Exporter;
import org.jspecify.annotations.Nullable;

/**
 * What one thread needs to send: above all a place where it writes a message before it claims room for it, so that its
 * length is known then, and no serializer holds up what others have claimed behind it.
 */
final class SendScratch {
    /** {@link #write}: the message does not fit into a frame. */
    static final int TOO_LONG = -1;

    private static final ThreadLocal<SendScratch> OF_THREAD = ThreadLocal.withInitial(SendScratch::new);

    private static final int FIRST_BYTES = 256;
    private static final int GROWTH = 4;

    /** Thrown through serializers when an object is longer than the space for it. */
    static final class Full extends RuntimeException {
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
    private final Turn turn = new Turn();
    private boolean busy;
    private boolean waited;
    private boolean hasShortTurns;
    private @Nullable Map<Backlog, Backlog.Queued> queued;
    private final Map<Outbound, Streak> streaks = new HashMap<>();
    private @Nullable Streak last;
    private @Nullable Engine lastEngine;
    private @Nullable Class<?> lastClass;
    private @Nullable MessageType<?> lastType;
    private @Nullable WholeMessage handled;

    private SendScratch() {}

    /** That of the calling thread. */
    static SendScratch ofThread() {
        return OF_THREAD.get();
    }

    /** Asks for short turns on the processor for this thread, once. */
    void askForShortTurns() {
        if (!hasShortTurns) {
            hasShortTurns = true;
            ShortTurns.ask();
        }
    }

    /** The type that objects of this class are sent as; mostly that of the message before. */
    @SuppressWarnings("unchecked") // filed under its class
    <T> MessageType<T> typeOf(Engine engine, T message) {
        MessageType<?> known = lastType;
        if (known != null && message.getClass() == lastClass && engine == lastEngine) {
            return (MessageType<T>) known;
        }
        MessageType<T> type = engine.typeOf(message);
        lastEngine = engine;
        lastClass = message.getClass();
        lastType = type;
        return type;
    }

    /** That of this thread with a connection. */
    Streak streak(Outbound outbound) {
        Streak streak = last;
        if (streak == null || streak.outbound != outbound) {
            streak = streaks.get(outbound);
            if (streak == null) {
                streaks.keySet().removeIf(Outbound::isClosed);
                streak = new Streak(outbound);
                streaks.put(outbound, streak);
            }
            last = streak;
        }
        return streak;
    }

    /** Sends what this thread has gathered for connections of a node. */
    void flush(Engine engine) {
        checkIdle();
        for (Streak each : streaks.values()) {
            if (each.outbound.isOf(engine)) {
                each.outbound.flush(this, each);
            }
        }
    }

    /** The message in pieces that this thread hands to its receiver; null if it is none, or not any more. */
    void handles(@Nullable WholeMessage message) {
        handled = message;
    }

    /** This thread may be about to wait for other nodes. */
    void giveUpAdvance() {
        WholeMessage message = handled;
        if (message != null) {
            message.giveUpAdvance();
        }
    }

    /** A send begins. Fails if a serializer of this thread is at work. */
    void beginSend() {
        checkIdle();
        waited = false;
    }

    /** Whether the send has not waited before. */
    boolean isFirstWait() {
        boolean first = !waited;
        waited = true;
        return first;
    }

    /** Fails if a serializer of this thread is at work. */
    void checkIdle() {
        if (busy) {
            throw new IllegalStateException("a serializer must not send");
        }
    }

    /** A serializer begins to write. */
    void enter() {
        checkIdle();
        busy = true;
    }

    /** The serializer has ended. */
    void leave() {
        busy = false;
    }

    /**
     * Writes a message with its header.
     *
     * @param longest bytes with the header, at most
     * @return its length, or {@link #TOO_LONG}
     */
    <T> int write(MessageType<T> type, int kind, long id, T message, int longest) {
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

    private <T> int writeAfter(int header, MessageType<T> type, T message, int limit) {
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
    byte[] bytes() {
        return bytes;
    }

    /** Number of {@link #write}s so far: whoever has waited sees whether his message is still there. */
    int writes() {
        return writes;
    }

    /** Bytes that an object takes, however many. */
    <T> long measure(MessageType<T> type, T message) {
        enter();
        try {
            return Exporter.measure(message, type.serializer());
        } finally {
            leave();
        }
    }

    /** The bytes of an object, for later. */
    <T> byte[] bytesOf(MessageType<T> type, T message) {
        long length = measure(type, message);
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

    // ---- requests that are sent later

    /** Whether requests of this thread may still have to be sent, to any node. */
    boolean hasQueued() {
        return queued != null;
    }

    /** The last request of this thread to a node that is still to be sent; null if there is none. */
    Backlog.@Nullable Queued lastQueued(Engine engine, int node) {
        Map<Backlog, Backlog.Queued> known = queued;
        if (known == null) {
            return null;
        }
        known.values().removeIf(Backlog.Queued::isSettled);
        if (known.isEmpty()) {
            queued = null;
        }
        for (Map.Entry<Backlog, Backlog.Queued> each : known.entrySet()) {
            if (each.getKey().leadsTo(engine, node)) {
                return each.getValue();
            }
        }
        return null;
    }

    /** Whatever this thread sends to that node goes behind this request. */
    void queued(Backlog backlog, Backlog.Queued last) {
        Map<Backlog, Backlog.Queued> known = queued;
        if (known == null) {
            known = new HashMap<>();
            queued = known;
        }
        known.put(backlog, last);
    }

    /** The waiting of this thread for room; valid until the next one is asked for. */
    Turn turn(Engine engine, long deadline, Outbound outbound, @Nullable Line line) {
        Turn known = turn;
        if (known.isAwaiting()) { // what runs while this thread waits may wait as well
            known = new Turn();
        }
        known.begin(engine, deadline, outbound, line, true);
        return known;
    }
}
