package org.galerna.device.support;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinPool.ManagedBlocker;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;

/**
 * Blocking in a task of a {@link ForkJoinPool}: the pool, above all the common one, which all ranks of a virtual machine
 * share, gets another thread meanwhile. Otherwise the task that would end the wait might never find a thread.
 */
public final class Compensation {
    private Compensation() {}

    /** True if the calling thread is one of a pool. */
    public static boolean isDue() {
        return Thread.currentThread() instanceof ForkJoinWorkerThread;
    }

    /** Makes a call that blocks. A pool that has as many threads as it may have does without this one. */
    public static void during(Runnable call) {
        if (!isDue()) {
            call.run();
            return;
        }
        Blocker blocker = new Blocker(call);
        try {
            ForkJoinPool.managedBlock(blocker);
        } catch (RejectedExecutionException full) {
            blocker.block();
        } catch (InterruptedException impossible) {
            throw new AssertionError("the blocker does not throw this", impossible);
        }
    }

    private static final class Blocker implements ManagedBlocker {
        private final Runnable call;
        private boolean over;

        Blocker(Runnable call) {
            this.call = call;
        }

        @Override
        public boolean block() {
            if (!over) {
                call.run();
                over = true;
            }
            return true;
        }

        @Override
        public boolean isReleasable() {
            return over;
        }
    }
}
