package org.galerna.messaging.wire;

import java.util.Map;
import org.galerna.messaging.serialization.TypeLayout;

/**
 * What messages of a type are about, where that decides how they lie in their bytes, or how what follows them does: calls of
 * methods, and subscriptions to streams. Any thread.
 *
 * @param <T> class of the messages
 */
public interface MessageContents<T> {
    /** Of the methods that this node offers, by their keys. Does not change after the node has started. */
    default Map<Long, TypeLayout> offered() {
        return Map.of();
    }

    /** What a message is about. */
    Content of(T message);

    /** What a message is about. */
    sealed interface Content {}

    /**
     * A method that is called.
     *
     * @param key tells it from all others, at both sides
     * @param name for messages
     * @param layout of its arguments and its result, as this node knows them
     */
    record Call(long key, String name, TypeLayout layout) implements Content {
        /** What both logs say of a call that the other node would read wrongly. */
        public String refusal(int other, String difference) {
            return "calls of " + name + " are laid out otherwise at node " + other + ": " + difference
                    + ". A method that changes in this way needs a new name";
        }
    }

    /**
     * A stream that is wanted.
     *
     * @param type number of the type of its items
     */
    record Subscription(int type) implements Content {}
}
