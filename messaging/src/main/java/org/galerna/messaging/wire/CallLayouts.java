package org.galerna.messaging.wire;

import java.util.Map;
import org.galerna.messaging.serialization.TypeLayout;

/**
 * How the messages of a type lie in their bytes if that depends on the message: calls of methods, each with arguments and a
 * result of its own. Any thread.
 *
 * @param <T> class of the messages
 */
public interface CallLayouts<T> {
    /** Of the methods that this node offers, by their keys. Does not change after the node has started. */
    Map<Long, TypeLayout> offered();

    /** What is called. */
    Called called(T call);

    /**
     * A method that is called.
     *
     * @param key tells it from all others, at both sides
     * @param name for messages
     * @param layout of its arguments and its result, as this node knows them
     */
    record Called(long key, String name, TypeLayout layout) {}
}
