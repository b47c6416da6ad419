package org.galerna.messaging.pending;

/** What a request went by: a connection with one start of the other node. Its identity is what counts. */
public interface RequestRoute {
    /** Whether nothing comes or goes by it any more. */
    boolean isLost();
}
