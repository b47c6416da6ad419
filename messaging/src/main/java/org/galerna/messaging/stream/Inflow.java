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

    private enum State {
        /** The publisher does not know of the subscriber yet. */
        OPENING,
        /** Items are asked for, and come. */
        OPEN,
        /** The subscriber hears of a failure, after the items that are here. */
        FAILING,
        /** Nothing is signalled any more. */
        OVER
    }

    private final Class<T> type;
    private final Flow.Subscriber<? super T> subscriber;
    private final Way way;

    // guarded by this
    private final Map<Long, Object> come = new HashMap<>();
    private long requested;
    private long asked; // of them, those that the publisher knows of
    private long signalled;
    private long items = Long.MAX_VALUE;
    private @Nullable Throwable failure;
    private State state = State.OPENING;
    private boolean signalling; // some thread is at it, in any state

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
            if (state == State.OVER) {
                return;
            }
            if (n <= 0) {
                fail(new IllegalArgumentException("a subscriber asks for one item at least, not for " + n));
                total = -1;
            } else {
                requested = requested + n < 0 ? Long.MAX_VALUE : requested + n;
                if (state != State.OPEN) {
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
            if (state == State.OVER) {
                return;
            }
            state = State.OVER;
            come.clear();
        }
        way.leave(true);
    }

    // ---- from the publisher

    void opened() {
        long total = 0;
        synchronized (this) {
            if (state == State.OPENING) {
                state = State.OPEN;
                total = moreToAsk();
            } else if (state == State.OPEN) {
                fail(new MessagingException(
                        MessagingException.Reason.REMOTE, "the publisher has opened the stream twice"));
            }
        }
        ask(total);
        signal();
    }

    void item(long number, Object message) {
        synchronized (this) {
            if (state == State.OVER) {
                return;
            }
            if (number < signalled || number >= asked || !type.isInstance(message)) {
                fail(new MessagingException(
                        MessagingException.Reason.REMOTE,
                        "the publisher has sent what was not asked for: item " + number + " of class "
                                + message.getClass().getName()));
            } else {
                come.put(number, message);
            }
        }
        signal();
    }

    void ended(End end) {
        synchronized (this) {
            items = end.items();
            if (end.failure() != null && state != State.FAILING) {
                failure = new MessagingException(
                        MessagingException.Reason.REMOTE, "the publisher has failed: " + end.failure());
            }
        }
        signal();
    }

    void failed(Throwable cause) {
        synchronized (this) {
            fail(failure == null ? cause : failure);
        }
        signal();
    }

    /** Of several failures the first one counts. With the lock. */
    private void fail(Throwable cause) {
        if (state == State.OPENING || state == State.OPEN) {
            failure = cause;
            state = State.FAILING;
        }
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
        boolean tells = false;
        long total = 0;
        synchronized (this) {
            message = state == State.OVER ? null : come.remove(signalled);
            if (message != null) {
                signalled++;
                total = moreToAsk();
            } else if (state == State.FAILING || (state != State.OVER && signalled >= items)) {
                tells = state == State.FAILING;
                state = State.OVER;
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
            } else {
                way.leave(tells);
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
