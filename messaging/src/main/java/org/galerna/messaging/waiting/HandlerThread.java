package org.galerna.messaging.waiting;

/** A thread that runs receivers of a node. */
public final class HandlerThread extends Thread {
    /** {@link #waitsFor} of one that does not wait. */
    public static final int NOBODY = -1;

    private final HandlerWakeup node;
    private volatile int waitsFor = NOBODY;

    /** A thread that is not started yet. */
    public HandlerThread(HandlerWakeup node, String name, Runnable work) {
        super(null, work, name, 0, false);
        this.node = node;
        setDaemon(true);
    }

    /** The node whose response the receiver waits for that it runs; {@link #NOBODY} if none. */
    public int waitsFor() {
        return waitsFor;
    }

    /** The calling thread, if it is a handler of any node, begins to wait for a response of another one, or ends. */
    public static void waitFor(int other) {
        if (Thread.currentThread() instanceof HandlerThread handler) {
            handler.waitsFor = other;
        }
    }

    /** Whether the calling thread is a handler of this node. */
    static boolean isCurrent(HandlerWakeup node) {
        return Thread.currentThread() instanceof HandlerThread known && known.node == node;
    }
}
