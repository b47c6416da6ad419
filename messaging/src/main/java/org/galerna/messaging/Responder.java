package org.galerna.messaging;

/** The answer that a request still waits for. May be given by any thread, once. */
public interface Responder {
    /** The node that has asked. */
    int requester();

    /**
     * Answers. If the answer cannot be sent, because its class has no type, it is too long or its serializer throws, the
     * request fails at once, and the same is thrown here.
     *
     * @throws IllegalStateException if it is answered already
     * @throws IllegalArgumentException if the class of the answer has no type, or the answer is too long
     * @throws MessagingException if the requester is gone
     */
    void respond(Object response);

    /** Lets the request fail with this text, which is cut if it is very long. */
    void fail(String reason);
}
