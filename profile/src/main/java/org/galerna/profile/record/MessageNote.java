package org.galerna.profile.record;

/** A message of a call that the ledger has not been told of yet. Used again; see {@link ThreadCall#note}. */
final class MessageNote {
    boolean sent;
    int peer;
    int tag;
    int context;
    long length;
    /** Of a receive, number of its message, or {@link Sequences#LATER}. */
    int sequence;
    /** Thread that has sent it, or posted its receive. */
    int thread;
    /** When the call of that thread began. */
    long begun;
}
