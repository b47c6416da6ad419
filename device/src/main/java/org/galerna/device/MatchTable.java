package org.galerna.device;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * First-in-first-out queues by (context, source, tag), found by hashing: adding, looking at the first and removing any
 * element take constant time however many are queued. Wildcards are keys like any other, with the value
 * {@link Device#ANY_SOURCE} or {@link Device#ANY_TAG}. Emptied queues are reused, so nothing is allocated in the steady
 * state. Guarded by its owner's lock.
 *
 * @param <E> what is queued
 */
final class MatchTable<E> {
    private static final int INITIAL_BUCKETS = 64;

    private @Nullable Queue<E>[] buckets = newBuckets(INITIAL_BUCKETS);
    private int queues;
    private @Nullable Queue<E> spare;
    private @Nullable Queue<E> recent;

    /** One element's place in one queue; reusable once removed. */
    static final class Node<E> {
        final E element;
        private @Nullable Queue<E> queue;
        private @Nullable Node<E> previous;
        private @Nullable Node<E> next;

        Node(E element) {
            this.element = element;
        }

        boolean isQueued() {
            return queue != null;
        }
    }

    private static final class Queue<E> {
        int context;
        int source;
        int tag;

        @Nullable
        Node<E> first;

        @Nullable
        Node<E> last;

        @Nullable
        Queue<E> nextInBucket;

        boolean has(int context, int source, int tag) {
            return this.tag == tag && this.source == source && this.context == context;
        }
    }

    /** Appends a node to the queue of its key. */
    void add(Node<E> node, int context, int source, int tag) {
        Queue<E> queue = find(context, source, tag);
        if (queue == null) {
            queue = insert(context, source, tag);
        }
        node.queue = queue;
        node.previous = queue.last;
        node.next = null;
        if (queue.last == null) {
            queue.first = node;
        } else {
            queue.last.next = node;
        }
        queue.last = node;
    }

    /** The oldest element of a key; null if there is none. */
    @Nullable
    E first(int context, int source, int tag) {
        Queue<E> queue = find(context, source, tag);
        return queue == null || queue.first == null ? null : queue.first.element;
    }

    /** Takes a queued node out of its queue. */
    void remove(Node<E> node) {
        Queue<E> queue = node.queue;
        if (queue == null) {
            throw new IllegalStateException("the node is not queued");
        }
        if (node.previous == null) {
            queue.first = node.next;
        } else {
            node.previous.next = node.next;
        }
        if (node.next == null) {
            queue.last = node.previous;
        } else {
            node.next.previous = node.previous;
        }
        node.queue = null;
        node.previous = null;
        node.next = null;
    }

    /** Shows every element to the consumer, which must not change the table. */
    void forEach(Consumer<? super E> consumer) {
        for (Queue<E> bucket : buckets) {
            for (Queue<E> queue = bucket; queue != null; queue = queue.nextInBucket) {
                for (Node<E> node = queue.first; node != null; node = node.next) {
                    consumer.accept(node.element);
                }
            }
        }
    }

    private @Nullable Queue<E> find(int context, int source, int tag) {
        Queue<E> queue = recent;
        if (queue != null && queue.has(context, source, tag)) {
            return queue;
        }
        queue = buckets[bucket(context, source, tag, buckets.length)];
        while (queue != null && !queue.has(context, source, tag)) {
            queue = queue.nextInBucket;
        }
        if (queue != null) {
            recent = queue;
        }
        return queue;
    }

    private Queue<E> insert(int context, int source, int tag) {
        if (queues >= buckets.length) {
            rehash();
        }
        Queue<E> queue = spare;
        if (queue == null) {
            queue = new Queue<>();
        } else {
            spare = queue.nextInBucket;
        }
        queue.context = context;
        queue.source = source;
        queue.tag = tag;
        link(queue);
        queues++;
        recent = queue;
        return queue;
    }

    private void link(Queue<E> queue) {
        int bucket = bucket(queue.context, queue.source, queue.tag, buckets.length);
        queue.nextInBucket = buckets[bucket];
        buckets[bucket] = queue;
    }

    /** Puts the empty queues aside, and doubles the table if that has not made it half empty. */
    private void rehash() {
        Queue<E> kept = null;
        queues = 0;
        for (Queue<E> bucket : buckets) {
            Queue<E> queue = bucket;
            while (queue != null) {
                Queue<E> next = queue.nextInBucket;
                if (queue.first == null) {
                    queue.nextInBucket = spare;
                    spare = queue;
                } else {
                    queue.nextInBucket = kept;
                    kept = queue;
                    queues++;
                }
                queue = next;
            }
        }
        recent = null;
        if (queues * 2 > buckets.length) {
            buckets = newBuckets(buckets.length * 2);
        } else {
            Arrays.fill(buckets, null);
        }
        while (kept != null) {
            Queue<E> next = kept.nextInBucket;
            link(kept);
            kept = next;
        }
    }

    private static int bucket(int context, int source, int tag, int buckets) {
        // multiplicative hashing (Knuth, TAOCP 3, 6.4) of the three numbers, high bits folded down
        // a multiplier of its own for each, because ranks and tags are often numbered alike
        long hash = tag * 0x9e3779b97f4a7c15L + source * 0xc2b2ae3d27d4eb4fL + context * 0x165667b19e3779f9L;
        return (int) (hash >>> 32) & (buckets - 1);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <E> @Nullable Queue<E>[] newBuckets(int length) {
        return new Queue[length];
    }
}
