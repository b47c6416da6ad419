package org.galerna.link.ofi.connection;

import org.galerna.link.ofi.adapter.Sizes;
import org.galerna.link.ofi.wire.Word;

/**
 * How many messages of frames may go to a peer, and come of it. Guarded by the engine's lock; {@link #isDue} is also read by the
 * polling thread, which alone makes it true.
 */
final class Credit {
    private final int threshold;
    private long granted; // by the peer, altogether
    private long sent;
    private long consumed; // messages of the peer whose receives are posted again
    private long givenBack;

    Credit(Sizes sizes) {
        this.threshold = sizes.creditThreshold();
        this.granted = sizes.credits();
    }

    /** The peer gives more. */
    void grant(int credits) {
        granted += credits;
    }

    /** Whether a message may be sent. */
    boolean isLeft() {
        return sent < granted;
    }

    /** A message is sent. */
    void use() {
        sent++;
    }

    /** Messages that were sent; the number of the next one. */
    long sent() {
        return sent;
    }

    /** Receives of messages of the peer are posted again. */
    void consume(int messages) {
        consumed += messages;
    }

    /** What the next message gives back. */
    int due() {
        return (int) Math.min(consumed - givenBack, Word.MOST_CREDITS);
    }

    /** A message has given back what was due. */
    void giveBack(int due) {
        givenBack += due;
    }

    /** Whether so much is due that it is worth a message of its own. */
    boolean isDue() {
        return consumed - givenBack >= threshold;
    }
}
