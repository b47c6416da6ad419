package org.galerna.messaging.connection;

import org.galerna.messaging.events.NodeEvents;
import org.galerna.messaging.outbound.SendContext;
import org.galerna.messaging.support.CoarseClock;

/**
 * What all connections of a node need.
 *
 * @param threadName begins the names of the node's threads
 * @param window bytes that may be on the way to the other node, or wait there
 * @param lateAnswers requests of the other node that may wait for answers after their receivers have returned
 * @param send what they need to send
 * @param receive what they need to receive
 * @param clock of the node
 * @param events of the node
 * @param lost hears of each that is lost, once
 */
public record ConnectionContext(
        String threadName,
        int window,
        int lateAnswers,
        SendContext send,
        ReceiveContext receive,
        CoarseClock clock,
        NodeEvents events,
        Loss lost) {
    /** Hears of connections that are lost. */
    @FunctionalInterface
    public interface Loss {
        /**
         * A connection is lost. Nothing is sent over it any more. Any thread.
         *
         * @param agreed whether both sides have agreed to end it: then nothing is under way
         */
        void lost(Connection connection, String reason, boolean agreed);
    }
}
