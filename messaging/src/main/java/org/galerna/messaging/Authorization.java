package org.galerna.messaging;

/**
 * Decides what other nodes may send to this one. It is asked for each message on the thread that handles it, so it must be
 * fast and must not wait. What it refuses is not received: a request fails with reason {@link
 * MessagingException.Reason#FORBIDDEN}, and a message is dropped, counted and logged. If it throws, that is a refusal. All nodes of a cluster have the same
 * key, so a node is what it says it is only as far as the holders of that key are trusted.
 */
@FunctionalInterface
public interface Authorization {
    /** Whether a node may send messages of a type, or subscribe to it. */
    boolean maySend(int sender, MessageType<?> type);

    /** Whether a node may call the methods of a service. */
    default boolean mayCall(int sender, Class<?> service) {
        return true;
    }
}
