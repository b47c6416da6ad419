package org.galerna.messaging.waiting;

/** A thread that runs receivers of a node. */
public final class HandlerThread extends Thread {
    private final HandlerWakeup node;

    /** A thread that is not started yet. */
    public HandlerThread(HandlerWakeup node, String name, Runnable work) {
        super(null, work, name, 0, false);
        this.node = node;
        setDaemon(true);
    }

    /** Whether the calling thread is a handler of this node. */
    static boolean isCurrent(HandlerWakeup node) {
        return Thread.currentThread() instanceof HandlerThread known && known.node == node;
    }
}
