package org.galerna.sockets.network;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.galerna.link.Link;

/**
 * How two processes part of which one is about to end. Behind everything else it says so, and waits for the answer: then the
 * other one has all. A process that is stopped, or gets no processor, does not answer. It has all the same what its system has
 * acknowledged, and for that the link itself waits. A socket that is closed before takes down what is still here: the system
 * resets it if anything has come that nobody has read, such as credits of the reader, or comes later.
 *
 * <p>One thread ends the process; the rest is of the thread that polls.
 */
final class Farewell {
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Link link;
    private final LinkWriter writer;
    private volatile boolean heard; // the peer is about to end
    private volatile boolean owed; // an answer to that
    private volatile boolean known; // there

    // of the thread that ends the process
    private boolean said;
    private long since;

    Farewell(Link link, LinkWriter writer) {
        this.link = link;
        this.writer = writer;
    }

    /** The peer is about to end, and has sent all. */
    void heard() {
        heard = true;
        owed = true;
    }

    /** It has sent something more. */
    void goesOn() {
        if (heard) {
            heard = false;
        }
    }

    /** Whether its end, which has come, is one in order. */
    boolean wasHeard() {
        return heard;
    }

    /** Answers, if there is something to be answered and the link takes it. */
    void answer() {
        if (owed && writer.send(LinkMessage.BYE_KNOWN, 0, 0)) {
            owed = false;
            writer.flush();
        }
    }

    /** The peer has answered. */
    void known() {
        known = true;
    }

    /**
     * A step of this end; to be repeated.
     *
     * @param empty whether everything is on its way
     * @return whether the peer, or its system, has everything
     */
    boolean isOver(BooleanSupplier empty) {
        if (!said) {
            if (empty.getAsBoolean()) {
                said = writer.send(LinkMessage.BYE, 0, 0);
                writer.flush();
                since = System.nanoTime();
            }
            return false;
        }
        if (known) {
            return true;
        }
        if (System.nanoTime() - since < ANSWER_NANOS) {
            return false;
        }
        link.stop();
        return link.drain(0);
    }
}
