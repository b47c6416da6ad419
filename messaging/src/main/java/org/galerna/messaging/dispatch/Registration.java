package org.galerna.messaging.dispatch;

import org.galerna.messaging.Handling;
import org.galerna.messaging.Receiver;
import org.galerna.messaging.wire.WireType;

/** A type of messages that a node receives. */
public record Registration<T>(WireType<T> type, Handling handling, Receiver<? super T> receiver) {}
