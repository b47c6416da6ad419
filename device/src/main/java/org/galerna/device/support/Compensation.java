package org.galerna.device.support;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinPool.ManagedBlocker;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Blocking in a task of a {@link ForkJoinPool}: the pool, above all the common one, which all ranks of a virtual machine
 * share, gets another thread meanwhile. Otherwise the task that would end the wait might never find a thread.
 */
public final class Compensation {
    private static final ThreadLocal<Polls> POLLS = ThreadLocal.withInitial(Polls::new);

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

    /**
     * The calling thread has looked for a message, or for the end of an operation, in vain. A task of the common pool that does
     * so again and again keeps its thread as one that blocks does. So after a while each such call blocks for a moment, and is
     * compensated.
     */
    public static void polledInVain() {
        if (Thread.currentThread() instanceof ForkJoinWorkerThread worker
                && worker.getPool() == ForkJoinPool.commonPool()) {
            POLLS.get().again();
        }
    }

    /** What a look has found, after {@link #polledInVain} if that is nothing. */
    public static <T> @Nullable T polled(@Nullable T found) {
        if (found == null) {
            polledInVain();
        }
        return found;
    }

    /** What a thread of the common pool has looked for in vain. */
    private static final class Polls {
        private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
        private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
        private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

        private long first = System.nanoTime() - FORGOTTEN_NANOS;
        private long last = first;

        /**
         * The pool makes a thread when those that block at the same time are enough. So a call blocks for at least half of
         * the time: as long as the thread has done other things since the call before.
         */
        void again() {
            long since = System.nanoTime() - last;
            if (since >= FORGOTTEN_NANOS) {
                first = last + since;
            } else if (last + since - first > PATIENCE_NANOS) {
                long pause = Math.clamp(since, SHORTEST_NANOS, LONGEST_NANOS);
                during(() -> LockSupport.parkNanos(pause));
            }
            last = System.nanoTime();
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
