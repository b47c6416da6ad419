package org.galerna.launch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waiting for a time without {@link Thread#sleep}, which loads classes that no ahead-of-time cache has. Any thread may do so. */
public final class Pause {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Pause() {}

    /**
     * Waits for so many nanoseconds.
     *
     * @throws InterruptedException if the thread is interrupted before
     */
    public static void ofNanos(long nanos) throws InterruptedException {
        boolean unused = NEVER.await(nanos, TimeUnit.NANOSECONDS);
    }
}
