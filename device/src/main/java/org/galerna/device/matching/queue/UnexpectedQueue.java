package org.galerna.device.matching.queue;

import static org.galerna.device.Device.ANY_SOURCE;

import java.util.function.Predicate;
import org.galerna.device.Conversation;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.frame.FrameLayout;
import org.galerna.memory.EarlyClasses;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait for their receive. A receive takes the oldest message that it matches, by one look into a hash
 * table: every message is queued under its own key, and under its keys with wildcards from the first receive on that
 * uses such wildcards until the queue is next empty. Guarded by the device's match lock.
 */
public final class UnexpectedQueue {
    static {
        // whether a message is unexpected is chance: so a cache has these classes whatever happened in the job that
        // made it
        EarlyClasses.initialize(UnexpectedMessage.class, MatchTable.Node.class);
    }

    private static final int WITH_ANY_TAG = 1;
    private static final int WITH_ANY_SOURCE = 2;

    private final MatchTable<UnexpectedMessage> table = new MatchTable<>();
    private final boolean[] indexed = new boolean[UnexpectedMessage.KEYS];
    private @Nullable UnexpectedMessage oldest;
    private @Nullable UnexpectedMessage youngest;
    private @Nullable UnexpectedMessage spare;
    private int spares;
    private int size;

    private static final int MOST_SPARES = 1024;

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    /** A message object to fill and {@link #add}. */
    public UnexpectedMessage take() {
        UnexpectedMessage message = spare;
        if (message == null) {
            return new UnexpectedMessage();
        }
        spare = message.later;
        spares--;
        message.later = null;
        return message;
    }

    public void add(UnexpectedMessage message) {
        message.earlier = youngest;
        message.later = null;
        if (youngest == null) {
            oldest = message;
        } else {
            youngest.later = message;
        }
        youngest = message;
        size++;
        indexed[0] = true;
        for (int key = 0; key < UnexpectedMessage.KEYS; key++) {
            if (indexed[key]) {
                enter(message, key);
            }
        }
    }

    private void enter(UnexpectedMessage message, int key) {
        table.add(
                message.nodes.get(key),
                (key & WITH_ANY_TAG) != 0 ? Envelope.withAnyTag(message.envelope) : message.envelope,
                (key & WITH_ANY_SOURCE) != 0 ? ANY_SOURCE : message.source);
    }

    /** The oldest message that a receive with these, possibly wildcards, matches; null if there is none. */
    @Nullable
    public UnexpectedMessage find(long envelope, int source) {
        if (size == 0) {
            return null;
        }
        int key = (source == ANY_SOURCE ? WITH_ANY_SOURCE : 0) | (Envelope.hasAnyTag(envelope) ? WITH_ANY_TAG : 0);
        if (!indexed[key]) {
            indexed[key] = true;
            for (UnexpectedMessage each = oldest; each != null; each = each.later) {
                enter(each, key);
            }
        }
        return table.first(envelope, source);
    }

    /** The message of a send that waits for an answer; null if there is none. Looks at all, the youngest first. */
    @Nullable
    public UnexpectedMessage ofSend(int source, long sendId) {
        for (UnexpectedMessage each = youngest; each != null; each = each.earlier) {
            boolean answered = each.kind == FrameLayout.SYNC || each.kind == FrameLayout.RTS;
            if (answered
                    && each.source == source
                    && (each.sendId == sendId || each.sendId == FrameLayout.withoutAnswer(sendId))) {
                return each;
            }
        }
        return null;
    }

    /** Takes a message out; its object is given back with {@link #recycle}. */
    public void remove(UnexpectedMessage message) {
        for (int key = 0; key < UnexpectedMessage.KEYS; key++) {
            if (indexed[key]) {
                table.remove(message.nodes.get(key));
            }
        }
        if (message.earlier == null) {
            oldest = message.later;
        } else {
            message.earlier.later = message.later;
        }
        if (message.later == null) {
            youngest = message.earlier;
        } else {
            message.later.earlier = message.earlier;
        }
        message.earlier = null;
        message.later = null;
        if (--size == 0) {
            for (int key = 1; key < UnexpectedMessage.KEYS; key++) {
                indexed[key] = false;
            }
        }
    }

    /** The oldest message of that kind; null if there is none. Looks at all. */
    @Nullable
    UnexpectedMessage oldest(Predicate<UnexpectedMessage> which) {
        UnexpectedMessage each = oldest;
        while (each != null && !which.test(each)) {
            each = each.later;
        }
        return each;
    }

    /** Whether there is a message in a context; looks at all. */
    public boolean has(int context) {
        return oldest(message -> Envelope.context(message.envelope) == context) != null;
    }

    public void recycle(UnexpectedMessage message) {
        message.bytes = null;
        message.retrieval = null;
        message.probed = false;
        if (spares < MOST_SPARES) {
            message.later = spare;
            spare = message;
            spares++;
        }
    }

    /** What is wrong if the oldest message from a peer in a context is another one than that; null if it is none. */
    @Nullable
    public String outOfStep(long awaited, int source, Conversation conversation) {
        UnexpectedMessage other = oldest(awaited, source, conversation, false);
        if (other == null || other.envelope == awaited) {
            return null;
        }
        // what this rank has not started tells more than what its peer has gone on to
        UnexpectedMessage ahead = oldest(awaited, source, conversation, true);
        long sent = ahead == null ? other.envelope : ahead.envelope;
        return conversation.outOfStep(source, Envelope.tag(sent), Envelope.tag(awaited));
    }

    /** Without lambdas: each rank looks when one of many is gone, and would make their classes then. */
    private @Nullable UnexpectedMessage oldest(long awaited, int source, Conversation conversation, boolean isAhead) {
        UnexpectedMessage each = oldest;
        while (each != null && !isOf(each, awaited, source, conversation, isAhead)) {
            each = each.later;
        }
        return each;
    }

    private static boolean isOf(
            UnexpectedMessage message, long awaited, int source, Conversation conversation, boolean isAhead) {
        if (message.source != source || Envelope.context(message.envelope) != Envelope.context(awaited)) {
            return false;
        }
        int tag = Envelope.tag(message.envelope);
        return isAhead ? conversation.isAhead(tag) : conversation.isOrdered(tag);
    }
}
