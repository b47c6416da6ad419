package org.galerna.profile.record;

/** One end of a message that is kept. Guarded by the recorder. */
final class MessageEnd {
    final long key;
    final int sequence;
    final boolean sent;
    final int peer;
    final long begun;
    long bytes;
    long waitBegun;
    long waitEnded;
    int site;

    MessageEnd(long key, int sequence, boolean sent, int peer, long bytes, long begun, int site) {
        this.key = key;
        this.sequence = sequence;
        this.sent = sent;
        this.peer = peer;
        this.bytes = bytes;
        this.begun = begun;
        this.waitBegun = begun;
        this.waitEnded = begun;
        this.site = site;
    }
}
