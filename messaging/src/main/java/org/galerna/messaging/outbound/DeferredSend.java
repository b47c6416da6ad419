package org.galerna.messaging.outbound;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Something that could not be sent at once. Whatever the same thread sends to that node goes behind it. Any thread. */
public class DeferredSend {
    private final SendContext context;
    private final int node;
    private final CountDownLatch settled = new CountDownLatch(1);

    /** Something for another node. */
    protected DeferredSend(SendContext context, int node) {
        this.context = context;
        this.node = node;
    }

    boolean goesTo(SendContext ofContext, int toNode) {
        return context == ofContext && node == toNode;
    }

    /** Whether it goes to the same node as another one, which came before it. */
    boolean follows(DeferredSend other) {
        return other.goesTo(context, node);
    }

    /** It was sent, or never will be. */
    public final void settle() {
        settled.countDown();
    }

    /** Whether it was sent, or never will be. */
    public final boolean isSettled() {
        return settled.getCount() == 0;
    }

    /** Waits until it was sent, or never will be. False if the time is over. */
    public final boolean awaitSettled(long nanos) throws InterruptedException {
        return settled.await(nanos, TimeUnit.NANOSECONDS);
    }
}
