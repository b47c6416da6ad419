package org.galerna.sockets.network;

/**
 * A number that the other end of a pipe is told whenever it has changed. One thread at a time tells; any thread may ask what was
 * told last.
 */
final class ToldFact {
    private final int kind;
    private volatile long told;

    /**
     * A fact.
     *
     * @param kind of the message
     * @param known what the other end takes it for until it is told
     */
    ToldFact(int kind, long known) {
        this.kind = kind;
        this.told = known;
    }

    /** Tells it if it has changed; false if the link does not take any more at present. */
    boolean tell(LinkWriter writer, int id, long value) {
        if (value != told) {
            if (!writer.send(kind, id, value)) {
                return false;
            }
            told = value;
        }
        return true;
    }

    /** What the other end knows. */
    long last() {
        return told;
    }
}
