package org.galerna.messaging;

/** Something that has come in over a connection and waits for a handler. */
abstract class Parcel {
    // set by the polling thread before it is dispatched
    private Connection connection;
    private boolean ordered;

    @SuppressWarnings("NullAway.Init") // addressed before it is dispatched
    Parcel() {}

    void address(Connection from, boolean inOrder) {
        connection = from;
        ordered = inOrder;
    }

    Connection connection() {
        return connection;
    }

    boolean isOrdered() {
        return ordered;
    }

    /** Hands everything in it to the receivers. */
    abstract void open(Handler handler);

    /** Number of messages in it. */
    abstract int messages();

    /** Gives its memory back. */
    abstract void discard();
}
