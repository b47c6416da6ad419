package org.galerna.messaging;

/**
 * Receives the messages of a type, on one of the node's handler threads. It may send, request and block; while it does,
 * the thread handles nothing else. What it throws is reported, and fails the request if the message was one.
 *
 * @param <T> class of the messages
 */
@FunctionalInterface
public interface Receiver<T> {
    /**
     * A message has come.
     *
     * @param delivery where from, and how to answer; valid until this method returns
     */
    void receive(T message, Delivery delivery) throws Exception;
}
