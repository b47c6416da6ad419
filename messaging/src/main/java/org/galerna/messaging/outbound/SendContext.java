package org.galerna.messaging.outbound;

import java.time.Duration;
import org.galerna.messaging.counters.SentCounts;
import org.galerna.messaging.support.TimeLimit;
import org.galerna.messaging.waiting.HandlerWakeup;
import org.galerna.messaging.waiting.Progress;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;

/** What all connections of a node need to send. There is one for each node, so that it also says which node it is. */
public final class SendContext {
    private final TypeTable types;
    private final SentCounts sent;
    private final long maximumMessage;
    private final Duration sendTimeout;
    private final HandlerWakeup handlers;
    private final Progress progress;

    /**
     * That of a node.
     *
     * @param types that the node knows
     * @param sent counts what was sent
     * @param maximumMessage bytes that a message may have
     * @param sendTimeout how long a send may wait for room
     * @param handlers look after what was left for the polling thread
     * @param progress what a thread does while it waits
     */
    public SendContext(
            TypeTable types,
            SentCounts sent,
            long maximumMessage,
            Duration sendTimeout,
            HandlerWakeup handlers,
            Progress progress) {
        this.types = types;
        this.sent = sent;
        this.maximumMessage = maximumMessage;
        this.sendTimeout = sendTimeout;
        this.handlers = handlers;
        this.progress = progress;
    }

    /** Types that the node knows. */
    public TypeTable types() {
        return types;
    }

    /** Counts what was sent of each type. */
    SentCounts sent() {
        return sent;
    }

    /** Look after what was left for the polling thread. */
    public HandlerWakeup handlers() {
        return handlers;
    }

    Progress progress() {
        return progress;
    }

    /** When a send ends that begins to wait now and has no time limit of its own, as of {@link System#nanoTime}. */
    public long usualDeadline() {
        return TimeLimit.deadline(sendTimeout);
    }

    long maximumMessage() {
        return maximumMessage;
    }

    /** Fails if a message is longer than it may be. */
    public void checkLength(WireType<?> type, long length) {
        checkLength(type, length, maximumMessage, "a message may have");
    }

    static void checkLength(WireType<?> type, long length, long most, String whatTheLimitIs) {
        if (length > most) {
            throw new IllegalArgumentException("a message of " + type + " has " + length + " bytes, more than the "
                    + most + " that " + whatTheLimitIs);
        }
    }
}
