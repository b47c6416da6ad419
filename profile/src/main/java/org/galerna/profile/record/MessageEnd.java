package org.galerna.profile.record;

/** One end of a message that is kept. Guarded by the recorder. */
final class MessageEnd {
    final long key;
    final int sequence;
    final boolean sent;
    final int peer;
    final int tag;
    final int communicator;
    final int thread;
    final long begun;
    long bytes;
    long waitBegun;
    long waitEnded;
    int endThread;
    int site;

    MessageEnd(
            long key,
            int sequence,
            boolean sent,
            int peer,
            int tag,
            int communicator,
            long bytes,
            int thread,
            long begun,
            int site) {
        this.key = key;
        this.sequence = sequence;
        this.sent = sent;
        this.peer = peer;
        this.tag = tag;
        this.communicator = communicator;
        this.thread = thread;
        this.endThread = thread;
        this.bytes = bytes;
        this.begun = begun;
        this.waitBegun = begun;
        this.waitEnded = begun;
        this.site = site;
    }

    /** It has ended in a call of a thread. */
    void ends(int ofThread, long callBegun, long callEnded) {
        endThread = ofThread;
        waitBegun = callBegun;
        waitEnded = callEnded;
    }
}
