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

    MessageEnd(MessageNote note, long key, int sequence, int communicator, int site) {
        this.key = key;
        this.sequence = sequence;
        this.sent = note.sent;
        this.peer = note.peer;
        this.tag = note.tag;
        this.communicator = communicator;
        this.thread = note.thread;
        this.endThread = note.thread;
        this.bytes = note.length;
        this.begun = note.begun;
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
