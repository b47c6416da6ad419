package org.galerna.messaging;

/** Which messages of a type may be received at the same time. */
public enum Handling {
    /**
     * One after the other for each sending node, in the order in which one of its threads has sent them. That order
     * holds across all ordered types.
     */
    ORDERED,

    /** As many as there are handler threads, in no particular order. */
    CONCURRENT
}
