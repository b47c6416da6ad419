package org.galerna.messaging.dispatch;

/** Something that has come in over a connection and waits for a handler. */
public abstract class WorkItem {
    // set by the polling thread before it is dispatched
    private Origin origin;
    private boolean ordered;

    @SuppressWarnings("NullAway.Init") // addressed before it is dispatched
    public WorkItem() {}

    public void address(Origin from, boolean inOrder) {
        origin = from;
        ordered = inOrder;
    }

    public Origin origin() {
        return origin;
    }

    public boolean isOrdered() {
        return ordered;
    }

    /** Hands everything in it to the receivers. */
    public abstract void open(Deliverer deliverer);

    /** Number of messages in it. */
    public abstract int messages();

    /** Gives its memory back. */
    public abstract void discard();
}
