package org.galerna.device.matching.queue;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.galerna.device.Device;
import org.galerna.device.matching.frame.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * Queues by {@link Envelope} and source, found by hashing. Wildcards are keys like any other, with the value
 * {@link Device#ANY_SOURCE} or {@link Device#ANY_TAG}. Emptied queues are reused, so nothing is allocated in the steady
 * state. Guarded by its owner's lock.
 *
 * @param <Q> a kind of queue
 */
public final class QueueTable<Q extends QueueTable.Keyed<Q>> {
    private static final int INITIAL_BUCKETS = 64;

    private final Supplier<Q> maker;
    private @Nullable Q[] buckets = newBuckets(INITIAL_BUCKETS);
    private int queues;
    private @Nullable Q spare;
    private @Nullable Q recent;

    /** A table without queues, which makes them by {@code maker}. */
    QueueTable(Supplier<Q> maker) {
        this.maker = maker;
    }

    /**
     * A queue with the key that it is found by.
     *
     * @param <Q> the kind of queue
     */
    public abstract static class Keyed<Q> {
        private long envelope;
        private int source;
        private @Nullable Q nextInBucket;

        final boolean has(long envelope, int source) {
            return this.envelope == envelope && this.source == source;
        }

        abstract boolean isEmpty();
    }

    /** The queue of a key; null if there is none. */
    @Nullable
    Q find(long envelope, int source) {
        Q queue = recent;
        if (queue != null && queue.has(envelope, source)) {
            return queue;
        }
        queue = buckets[bucket(envelope, source, buckets.length)];
        while (queue != null && !queue.has(envelope, source)) {
            queue = next(queue);
        }
        if (queue != null) {
            recent = queue;
        }
        return queue;
    }

    /** The queue of a key, made if need be. The caller puts something into it before it asks for another one. */
    Q findOrMake(long envelope, int source) {
        Q queue = find(envelope, source);
        return queue != null ? queue : make(envelope, source);
    }

    /** Shows every queue to the consumer, which must not change the table. */
    void forEach(Consumer<? super Q> consumer) {
        for (Q bucket : buckets) {
            for (Q queue = bucket; queue != null; queue = next(queue)) {
                consumer.accept(queue);
            }
        }
    }

    private static <Q extends Keyed<Q>> @Nullable Q next(Q queue) {
        return ((Keyed<Q>) queue).nextInBucket;
    }

    private static <Q extends Keyed<Q>> void setNext(Q queue, @Nullable Q next) {
        ((Keyed<Q>) queue).nextInBucket = next;
    }

    private Q make(long envelope, int source) {
        if (queues >= buckets.length) {
            rehash();
        }
        Q queue = spare;
        if (queue == null) {
            queue = maker.get();
        } else {
            spare = next(queue);
        }
        Keyed<Q> keyed = queue;
        keyed.envelope = envelope;
        keyed.source = source;
        link(queue);
        queues++;
        recent = queue;
        return queue;
    }

    private void link(Q queue) {
        Keyed<Q> keyed = queue;
        int bucket = bucket(keyed.envelope, keyed.source, buckets.length);
        keyed.nextInBucket = buckets[bucket];
        buckets[bucket] = queue;
    }

    /** Puts the empty queues aside, and doubles the table if that has not made it half empty. */
    private void rehash() {
        Q kept = null;
        queues = 0;
        for (Q bucket : buckets) {
            Q queue = bucket;
            while (queue != null) {
                Q following = next(queue);
                if (queue.isEmpty()) {
                    setNext(queue, spare);
                    spare = queue;
                } else {
                    setNext(queue, kept);
                    kept = queue;
                    queues++;
                }
                queue = following;
            }
        }
        recent = null;
        if (queues * 2 > buckets.length) {
            buckets = newBuckets(buckets.length * 2);
        } else {
            Arrays.fill(buckets, null);
        }
        while (kept != null) {
            Q following = next(kept);
            link(kept);
            kept = following;
        }
    }

    private static int bucket(long envelope, int source, int buckets) {
        // multiplicative hashing (Knuth, TAOCP 3, 6.4) of tag, source and context, high bits folded down
        // a multiplier of its own for each, because ranks and tags are often numbered alike
        long hash = Envelope.tag(envelope) * 0x9e3779b97f4a7c15L
                + source * 0xc2b2ae3d27d4eb4fL
                + Envelope.context(envelope) * 0x165667b19e3779f9L;
        return (int) (hash >>> 32) & (buckets - 1);
    }

    @SuppressWarnings({"unchecked", "rawtypes", "TypeParameterUnusedInFormals"})
    private static <Q extends Keyed<Q>> @Nullable Q[] newBuckets(int length) {
        return (Q[]) new Keyed[length];
    }
}
