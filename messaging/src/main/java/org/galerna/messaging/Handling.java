package org.galerna.messaging;

/** Which messages of a type may be received at the same time. */
public enum Handling {
    /**
     * One after the other for each sending node, in the order in which one of its threads has sent them. That order
     * holds across all ordered types.
     */
    ORDERED,

    /** As many as there are handler threads, in no particular order. */
    CONCURRENT,

    /**
     * Each on a virtual thread of its own, in no particular order. A receiver that waits or asks back keeps no handler from
     * other messages, however deep nodes ask each other in circles. A message counts in the sender's window until its
     * receiver has returned, as always. Starting the thread takes about a microsecond.
     */
    VIRTUAL
}
