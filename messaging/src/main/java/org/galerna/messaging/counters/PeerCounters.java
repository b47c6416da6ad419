package org.galerna.messaging.counters;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.galerna.messaging.LatencyHistogram;
import org.galerna.messaging.MessagingException;

/** What a node counts of another one: its requests, and what went over connections that have ended. Any thread. */
public final class PeerCounters {
    /**
     * What went over a connection.
     *
     * @param sent messages sent, and the bytes of the window that they took
     * @param handled messages handled, and the bytes that they took
     */
    public record Traffic(long sent, long sentBytes, long handled, long handledBytes, long blocked, long waitedNanos) {
        /** Both together. */
        public Traffic plus(Traffic other) {
            return new Traffic(
                    sent + other.sent,
                    sentBytes + other.sentBytes,
                    handled + other.handled,
                    handledBytes + other.handledBytes,
                    blocked + other.blocked,
                    waitedNanos + other.waitedNanos);
        }
    }

    private static final MessagingException.Reason[] REASONS = MessagingException.Reason.values();

    private final LongAdder answered = new LongAdder();
    private final AtomicInteger futures = new AtomicInteger();
    private final AtomicLongArray failed = new AtomicLongArray(REASONS.length);
    private final LatencyRecorder latency = new LatencyRecorder();
    private Traffic before = new Traffic(0, 0, 0, 0, 0, 0); // guarded by this

    /** Nothing was counted yet. */
    public PeerCounters() {}

    /** A request with a future is about to be made. Returns false if there are as many as there may be; then it is not counted. */
    public boolean beginFuture(int most) {
        if (futures.incrementAndGet() <= most) {
            return true;
        }
        endFuture();
        return false;
    }

    /** A request with a future has ended. */
    public void endFuture() {
        futures.decrementAndGet();
    }

    /** A request was answered. */
    public void countAnswer(long nanos) {
        answered.increment();
        latency.record(nanos);
    }

    /** A request has failed. */
    @SuppressWarnings("EnumOrdinal") // within this object only
    public void countFailure(MessagingException.Reason reason) {
        failed.getAndIncrement(reason.ordinal());
    }

    /** A connection has ended. */
    public synchronized void add(Traffic traffic) {
        before = before.plus(traffic);
    }

    /** What went over connections that have ended. */
    public synchronized Traffic before() {
        return before;
    }

    /** Requests that were answered. */
    public long answered() {
        return answered.sum();
    }

    /** Requests that have failed, by the reason; only reasons that there were. */
    @SuppressWarnings("EnumOrdinal")
    public Map<MessagingException.Reason, Long> failed() {
        Map<MessagingException.Reason, Long> counts = new EnumMap<>(MessagingException.Reason.class);
        for (MessagingException.Reason each : REASONS) {
            if (failed.get(each.ordinal()) > 0) {
                counts.put(each, failed.get(each.ordinal()));
            }
        }
        return counts;
    }

    /** How long answered requests took. */
    public LatencyHistogram latency() {
        return latency.histogram();
    }
}
