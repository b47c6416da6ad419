package org.galerna.messaging;

import java.util.concurrent.CompletionStage;

/**
 * Receives the messages of a type and answers later: it returns at once, and the handler goes on with other messages.
 *
 * @param <T> class of the messages
 */
@FunctionalInterface
public interface AsyncReceiver<T> {
    /**
     * A message has come.
     *
     * @param delivery where from; valid until this method returns
     * @return completes with the response, any object of a registered type. If it fails, the request fails as it does when
     *     a receiver throws. Of a message that is no request the result is ignored, and a failure is reported
     */
    CompletionStage<?> receive(T message, Delivery delivery) throws Exception;
}
