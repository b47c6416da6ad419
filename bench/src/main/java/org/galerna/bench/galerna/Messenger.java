package org.galerna.bench.galerna;

import java.util.Optional;
import java.util.Random;
import org.galerna.bench.suite.Command;

/**
 * One rank's way to move messages at the level that is measured. Each process has one kind of messenger, so that calls
 * of these methods are as direct as calls of the level itself. Used by one thread.
 */
abstract class Messenger {
    /** Bytes of an acknowledgement. */
    static final int ACKNOWLEDGEMENT_BYTES = 4;

    private static final int LEAST_BYTES = 4096;

    /** What is sent; never zeros. */
    protected byte[] source = new byte[0];

    /** What is received into. */
    protected byte[] target = new byte[0];

    /** Bytes of the messages to come. */
    protected int length;

    abstract int rank();

    abstract int size();

    /** Why this level cannot do it, the same on all ranks; empty if it can. */
    Optional<String> objection(Command command) {
        return Optional.empty();
    }

    /**
     * Makes everything ready that must not be part of the time.
     *
     * @param bytes of each message to come
     * @param window messages that will be in flight at most; 0 if they go one by one
     */
    void prepare(int bytes, int window) {
        length = bytes;
        if (source.length < Math.max(bytes, LEAST_BYTES)) {
            source = new byte[Math.max(bytes, LEAST_BYTES)];
            target = new byte[source.length];
            new Random(20260101).nextBytes(source);
        }
    }

    /** Sends a message, blocking. */
    abstract void send(int peer);

    /** Receives a message, blocking. */
    abstract void receive(int peer);

    /** Sends a window of messages without blocking in between, and waits until all have left. */
    abstract void sendWindow(int peer, int window);

    /** Receives what {@link #sendWindow} sends. */
    abstract void receiveWindow(int peer, int window);

    /** Sends and receives a window at once. */
    abstract void exchangeWindows(int peer, int window);

    /** Sends a few bytes. */
    abstract void acknowledge(int peer);

    /** Receives a few bytes. */
    abstract void awaitAcknowledgement(int peer);

    /** Returns when every rank has called this. */
    void barrier() {
        if (rank() == 0) {
            for (int peer = 1; peer < size(); peer++) {
                awaitAcknowledgement(peer);
            }
            for (int peer = 1; peer < size(); peer++) {
                acknowledge(peer);
            }
        } else {
            acknowledge(0);
            awaitAcknowledgement(0);
        }
    }

    /** The largest value of all ranks, on rank 0; called by every rank. */
    abstract double maximum(double value);
}
