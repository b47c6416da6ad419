package org.galerna.profile.record;

/** A message of a call that the ledger has not been told of yet. Used again; see {@link ThreadCall#note}. */
final class MessageNote {
    boolean sent;
    int peer;
    int tag;
    int context;
    long length;
    /** Number of the message, {@link Sequences#NOW}, or {@link Sequences#LATER}. */
    int sequence;
    /** Thread that has sent it, or posted its receive. */
    int thread;
    /** When the call of that thread began. */
    long begun;
    /** It was not sent, nor its receive posted, before. */
    long earliest;
}
