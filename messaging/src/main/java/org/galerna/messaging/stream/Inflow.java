package org.galerna.messaging.stream;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Flow;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.stream.StreamMessages.End;
import org.jspecify.annotations.Nullable;

/**
 * A stream at the node that has subscribed. One thread at a time signals the subscriber: a thread that finds another one
 * at it leaves what it has brought, and that one goes on with it.
 *
 * <p>The publisher is never asked for more than {@link #MOST_ASKED} messages at once, whatever the subscriber wants: so no
 * more can lie here that have come before their turn.
 */
final class Inflow<T> implements Flow.Subscription {
    /** How it reaches the publisher. */
    interface Way {
        /** Asks for items: so many since the beginning. Throws if it cannot. */
        void demand(long total);

        /** Ends the stream here, and tells the publisher if it does not know. */
        void leave(boolean tell);

        /** A subscriber has thrown. */
        void failed(Throwable thrown);
    }

    static final int MOST_ASKED = 16_384;

    private final Class<T> type;
    private final Flow.Subscriber<? super T> subscriber;
    private final Way way;

    // guarded by this
    private final Map<Long, Object> come = new HashMap<>();
    private long requested;
    private long asked; // of them, those that the publisher knows of
    private boolean opened;
    private long signalled;
    private long items = Long.MAX_VALUE;
    private @Nullable Throwable failure;
    private boolean failsAtOnce;
    private boolean over;
    private boolean signalling;

    Inflow(Class<T> type, Flow.Subscriber<? super T> subscriber, Way way) {
        this.type = type;
        this.subscriber = subscriber;
        this.way = way;
    }

    // ---- from the subscriber

    @Override
    public void request(long n) {
        long total;
        synchronized (this) {
            if (over) {
                return;
            }
            if (n <= 0) {
                failure = new IllegalArgumentException("a subscriber asks for one item at least, not for " + n);
                failsAtOnce = true;
                total = -1;
            } else {
                requested = requested + n < 0 ? Long.MAX_VALUE : requested + n;
                if (!opened) {
                    return;
                }
                total = moreToAsk();
            }
        }
        if (total < 0) {
            way.leave(true);
            signal();
        } else {
            ask(total);
        }
    }

    /** How many to ask for, since the beginning; 0 if the publisher has enough to do. With the lock. */
    private long moreToAsk() {
        if (asked == requested || asked - signalled > MOST_ASKED / 2) {
            return 0;
        }
        asked = Math.min(requested, signalled + MOST_ASKED);
        return asked;
    }

    private void ask(long total) {
        if (total > 0) {
            try {
                way.demand(total);
            } catch (RuntimeException failed) { // nothing more would come
                failed(failed);
            }
        }
    }

    @Override
    public void cancel() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            come.clear();
        }
        way.leave(true);
    }

    // ---- from the publisher

    void opened() {
        long total;
        synchronized (this) {
            opened = true;
            total = moreToAsk();
        }
        ask(total);
    }

    void item(long number, Object message) {
        synchronized (this) {
            if (over) {
                return;
            }
            if (number < signalled || number >= asked || !type.isInstance(message)) {
                failure = new MessagingException(
                        MessagingException.Reason.REMOTE,
                        "the publisher has sent what was not asked for: item " + number + " of class "
                                + message.getClass().getName());
                failsAtOnce = true;
            } else {
                come.put(number, message);
            }
        }
        signal();
    }

    void ended(End end) {
        synchronized (this) {
            items = end.items();
            if (end.failure() != null) {
                failure = new MessagingException(
                        MessagingException.Reason.REMOTE, "the publisher has failed: " + end.failure());
            }
        }
        signal();
    }

    void failed(Throwable cause) {
        synchronized (this) {
            if (failure == null) {
                failure = cause;
            }
            failsAtOnce = true;
        }
        signal();
    }

    private void signal() {
        synchronized (this) {
            if (signalling) {
                return; // that thread looks again before it leaves
            }
            signalling = true;
        }
        boolean more = true;
        while (more) {
            more = signalNext();
        }
    }

    /** Signals what is next; false if there is nothing, and then nobody signals. */
    private boolean signalNext() {
        Object message;
        Throwable error = null;
        boolean ends = false;
        long total = 0;
        synchronized (this) {
            message = over ? null : come.remove(signalled);
            if (message != null) {
                signalled++;
                total = moreToAsk();
            } else if (!over && (failsAtOnce || signalled >= items)) {
                over = true;
                ends = true;
                error = failure;
            } else {
                signalling = false;
                return false;
            }
        }
        ask(total);
        try {
            if (message != null) {
                subscriber.onNext(type.cast(message));
            } else if (ends) {
                way.leave(failsAtOnce);
                if (error != null) {
                    subscriber.onError(error);
                } else {
                    subscriber.onComplete();
                }
            }
        } catch (Throwable thrown) { // it does not keep to the rules: nothing can be told to it any more
            cancel();
            way.failed(thrown);
        }
        return true;
    }
}
