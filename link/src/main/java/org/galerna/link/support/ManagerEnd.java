package org.galerna.link.support;

import org.galerna.link.LinkWaiter;

/** How the thread ends that manages the connections of a link. */
public final class ManagerEnd {
    private static final int JOIN_MILLIS = 10;

    private ManagerEnd() {}

    /**
     * Waits until a thread has ended that has been told to, and then closes what it has used. An interrupt of the calling thread
     * is kept for afterwards: it would break what is closed.
     *
     * @param waiter where the thread sleeps
     */
    public static void await(Thread thread, LinkWaiter waiter, Runnable close) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            waiter.wakeUp();
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException hurry) {
                interrupted = true;
            }
        }
        close.run();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
