package org.galerna.device.matching.queue;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * First-in-first-out queues by {@code Envelope} and source: adding, looking at the first and removing any element take
 * constant time however many are queued. An element may stand in several queues. Guarded by its owner's lock.
 *
 * @param <E> what is queued
 */
public final class MatchTable<E> {
    private final QueueTable<NodeQueue<E>> queues = new QueueTable<>(NodeQueue::new);

    /** One element's place in one queue; reusable once removed. */
    public static final class Node<E> {
        public final E element;
        private @Nullable NodeQueue<E> queue;
        private @Nullable Node<E> previous;
        private @Nullable Node<E> next;

        public Node(E element) {
            this.element = element;
        }

        public boolean isQueued() {
            return queue != null;
        }
    }

    private static final class NodeQueue<E> extends QueueTable.Keyed<NodeQueue<E>> {
        @Nullable
        Node<E> first;

        @Nullable
        Node<E> last;

        @Override
        boolean isEmpty() {
            return first == null;
        }
    }

    /** Appends a node to the queue of its key. */
    public void add(Node<E> node, long envelope, int source) {
        NodeQueue<E> queue = queues.findOrMake(envelope, source);
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
    public E first(long envelope, int source) {
        NodeQueue<E> queue = queues.find(envelope, source);
        return queue == null || queue.first == null ? null : queue.first.element;
    }

    /** Takes a queued node out of its queue. */
    public void remove(Node<E> node) {
        NodeQueue<E> queue = node.queue;
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
    public void forEach(Consumer<? super E> consumer) {
        queues.forEach(queue -> {
            for (Node<E> node = queue.first; node != null; node = node.next) {
                consumer.accept(node.element);
            }
        });
    }
}
