package org.galerna.link;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done when this process ends, after the shutdown hooks of the program: these may still communicate. The virtual
 * machine runs all hooks at the same time, so this one waits for the others.
 *
 * <p>Nobody is told which threads are hooks. They are those that begin between the moment before the first hook is started and
 * the moment after the last one is. The virtual machine starts hooks by their method {@code start}, which this hook overrides
 * to look at the threads that there are before it. It is made so that it is the first one: the order is that of the JDK's
 * {@link java.util.IdentityHashMap}, where an object with many zeros at the end of its hash comes first. A hook that is started
 * before this one after all is not waited for. After the start of the last hook the thread that has started them joins them,
 * which its stack shows.
 */
public final class EndOfProcess {
    /** How long hooks of the program are waited for: a thread of the program that begins in that very moment looks like one. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private static final long LOOK_NANOS = 1_000_000;

    /** The hash of the hook is a multiple of it, so that the hook comes first in tables of up to twice as many places. */
    private static final int ZEROS = 64;

    private static final int MOST_TRIALS = 20 * ZEROS;

    private static final String OWN = "galerna-";

    private static final List<Runnable> TASKS = new ArrayList<>(); // guarded by itself, as the next one
    private static @Nullable Hook hook;

    private EndOfProcess() {}

    /**
     * Adds something to do; in the order in which it is added, and in one thread.
     *
     * @throws IllegalStateException if the process is ending
     */
    public static void add(Runnable task) {
        synchronized (TASKS) {
            if (hook == null) {
                Hook made = Hook.make();
                Runtime.getRuntime().addShutdownHook(made);
                hook = made;
            } else if (hook.starter != null) {
                throw new IllegalStateException("Shutdown in progress");
            }
            TASKS.add(task);
        }
    }

    /** Takes {@link #add} back; no effect if the process is ending. */
    public static void remove(Runnable task) {
        synchronized (TASKS) {
            TASKS.remove(task);
        }
    }

    private static final class Hook extends Thread {
        private volatile Set<Thread> before = Set.of();

        /** The thread that runs the hooks. */
        private volatile @Nullable Thread starter;

        private Hook() {
            super(root(), null, OWN + "end", 0, false);
        }

        static Hook make() {
            Hook made = new Hook();
            for (int trial = 0; trial < MOST_TRIALS && System.identityHashCode(made) % ZEROS != 0; trial++) {
                made = new Hook();
            }
            return made;
        }

        @Override
        public void start() {
            before = threads();
            starter = Thread.currentThread();
            super.start();
        }

        @Override
        public void run() {
            awaitOthers();
            List<Runnable> tasks;
            synchronized (TASKS) {
                tasks = List.copyOf(TASKS);
            }
            for (Runnable task : tasks) {
                try {
                    task.run();
                } catch (RuntimeException failed) {
                    OwnLog.of(EndOfProcess.class.getName()).log(System.Logger.Level.DEBUG, "at the end", failed);
                }
            }
        }

        private void awaitOthers() {
            long deadline = System.nanoTime() + LONGEST.toNanos();
            while (!haveAllStarted() && deadline - System.nanoTime() > 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            try {
                for (Thread each : threads()) {
                    if (!before.contains(each) && !each.getName().startsWith(OWN)) {
                        boolean unused = each.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
                    }
                }
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean haveAllStarted() {
            Thread running = starter;
            return running == null
                    || Arrays.stream(running.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(Thread.class.getName())
                                    && frame.getMethodName().equals("join"));
        }

        private static ThreadGroup root() {
            ThreadGroup root = Thread.currentThread().getThreadGroup();
            while (root.getParent() != null) {
                root = root.getParent();
            }
            return root;
        }

        private static Set<Thread> threads() {
            ThreadGroup root = root();
            Thread[] found = new Thread[64];
            int count;
            while ((count = root.enumerate(found)) == found.length) { // those that do not fit are left out
                found = new Thread[2 * found.length];
            }
            return Set.copyOf(Arrays.asList(Arrays.copyOf(found, count)));
        }
    }
}
