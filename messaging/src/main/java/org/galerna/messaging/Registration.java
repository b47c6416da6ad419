package org.galerna.messaging;

/** A type of messages that a node receives. */
record Registration<T>(MessageType<T> type, Handling handling, Receiver<? super T> receiver) {}
