package org.galerna.link.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done when this process ends, after the shutdown hooks of the program: these may still communicate. The virtual
 * machine starts all hooks in an order of its own, and then joins them in the same order. So this hook waits until
 *
 * <ul>
 *   <li>the virtual machine joins it: then all hooks that come before it have ended; and
 *   <li>the threads have ended that have begun after this one was started and before the virtual machine joined the first hook:
 *       the hooks that come after it are among them.
 * </ul>
 *
 * <p>A thread of the program that begins in that moment looks like a hook that comes after this one. So for these there is a
 * limit, and this hook is made such that it mostly is the last one. Threads that are certainly none are not waited for: those of the JDK,
 * as one that handles a signal, and those that call {@code System.exit}, from which none returns.
 *
 * <p>The virtual machine does not end before all hooks have, so that waiting for them holds up nothing. A process that is told to
 * end by a signal does so in a limited time, though: if it must, its hooks find their links closed.
 */
public final class EndOfProcess {
    /** How long hooks are waited for after a signal, and threads that may be none: what managers of services allow. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** How often the starter has to answer that it waits for this hook. */
    private static final int QUESTIONS = 4;

    /**
     * The order of hooks is that of the JDK's {@link java.util.IdentityHashMap}, where an object whose hash ends with ones comes
     * last: with as many of them, among up to 40 hooks.
     */
    private static final int ONES = 0b11_1111;

    private static final int MOST_TRIALS = 20 * ONES;

    private static final String OWN = "galerna-";

    private static final List<Runnable> TASKS = new ArrayList<>(); // guarded by itself, as the next two
    private static @Nullable Hook hook;
    private static boolean taken;

    private EndOfProcess() {}

    /**
     * Adds something to do; in the order in which it is added, and in one thread. Hooks of the program may still do so.
     *
     * @throws IllegalStateException if it is too late
     */
    public static void add(Runnable task) {
        synchronized (TASKS) {
            if (hook == null) {
                Hook made = Hook.make();
                Runtime.getRuntime().addShutdownHook(made);
                hook = made;
            } else if (taken) {
                throw new IllegalStateException("Shutdown in progress");
            }
            TASKS.add(task);
        }
    }

    /** Whether the virtual machine has begun to end: then {@code System.exit} never returns, nor does it do anything. */
    public static boolean hasBegun() {
        Thread probe = new Thread(null, null, OWN + "probe", 0, false);
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException begun) {
            return true;
        }
    }

    /** Takes {@link #add} back; no effect if it is too late. */
    public static void remove(Runnable task) {
        synchronized (TASKS) {
            TASKS.remove(task);
        }
    }

    /**
     * Does it now, without the hooks of the program: the process is about to be halted, or its files would stay. Returns when it is done,
     * or after that time.
     */
    public static void now(Duration longest) {
        Thread doing;
        synchronized (TASKS) {
            if (taken && hook != null) {
                doing = hook;
            } else {
                taken = true;
                List<Runnable> tasks = List.copyOf(TASKS);
                doing = new Thread(Hook.root(), () -> run(tasks), OWN + "end-now", 0, false);
                doing.setDaemon(true);
                doing.start();
            }
        }
        try {
            boolean ignored = doing.join(longest);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(List<Runnable> tasks) {
        for (Runnable task : tasks) {
            try {
                task.run();
            } catch (Throwable failed) {
                OwnLog.of(EndOfProcess.class.getName()).log(System.Logger.Level.DEBUG, "at the end", failed);
            }
        }
    }

    private static final class Hook extends Thread {
        /** Those that there are when this one is started. */
        private Set<Thread> before = Set.of();

        /** The thread that runs the hooks. Set, as the other one, before this thread begins. */
        private Thread starter = this;

        private Hook() {
            super(root(), null, OWN + "end", 0, false);
            setDaemon(true); // as all threads of Galerna: it is none of the program's
        }

        static Hook make() {
            Hook made = new Hook();
            for (int trial = 0; trial < MOST_TRIALS && (System.identityHashCode(made) & ONES) != ONES; trial++) {
                made = new Hook();
            }
            return made;
        }

        static ThreadGroup root() {
            ThreadGroup root = Thread.currentThread().getThreadGroup();
            while (root.getParent() != null) {
                root = root.getParent();
            }
            return root;
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
                if (taken) {
                    return;
                }
                taken = true;
                tasks = List.copyOf(TASKS);
            }
            EndOfProcess.run(tasks);
        }

        private void awaitOthers() {
            long begun = System.nanoTime();
            boolean limited =
                    starter.getName().startsWith("SIG") && starter.getName().endsWith(" handler");
            long pause = FIRST_PAUSE_NANOS;
            while (!starterJoins()) {
                pause = pause(pause);
            }
            List<Thread> perhaps = new ArrayList<>();
            for (Thread each : threads()) {
                if (!before.contains(each) && !each.getName().startsWith(OWN) && !isOfPlatform(each)) {
                    perhaps.add(each);
                }
            }
            while (!isJoined() && !(limited && isOver(begun))) {
                pause = pause(pause);
            }
            long joined = limited ? begun : System.nanoTime();
            for (Thread each : perhaps) {
                while (each.isAlive() && !isOver(joined) && !exits(each)) {
                    pause = pause(pause);
                }
            }
        }

        /** Programs have their threads in groups of their own, and of classes of their own. */
        private static boolean isOfPlatform(Thread thread) {
            ThreadGroup group = thread.getThreadGroup();
            boolean above = group != null && group.getParent() == null;
            return thread.isDaemon() && (above || thread.getClass().getName().startsWith("jdk.internal."));
        }

        /** Whether a thread waits for the end of the virtual machine. */
        private static boolean exits(Thread thread) {
            return thread.getState() == State.BLOCKED
                    && Arrays.stream(thread.getStackTrace())
                            .limit(2)
                            .anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
        }

        private static boolean isOver(long since) {
            return System.nanoTime() - since > LONGEST.toNanos();
        }

        private static long pause(long nanos) {
            LockSupport.parkNanos(nanos);
            return Math.min(2 * nanos, LONGEST_PAUSE_NANOS);
        }

        /**
         * Whether the starter waits for the end of a hook: then it has started all. It is asked for its stack only while it waits, since the
         * virtual machine stops it for that.
         */
        private boolean starterJoins() {
            if (starter.getState() != State.WAITING) {
                return false;
            }
            for (StackTraceElement frame : starter.getStackTrace()) {
                if (frame.getClassName().equals(Thread.class.getName())
                        && frame.getMethodName().equals("join")) {
                    return true;
                }
            }
            return false;
        }

        /**
         * Whether the starter waits for the end of this thread. If so it is in {@code wait} of this object, has to enter its
         * monitor after {@code notifyAll}, is blocked as long as this thread is inside, and waits again afterwards. A starter
         * that waits for another hook may become blocked in the same moment, if that one ends just then; it is asked so often
         * that as many hooks would have to do so.
         */
        private boolean isJoined() {
            for (int question = 0; question < QUESTIONS; question++) {
                long pause = FIRST_PAUSE_NANOS;
                while (starter.getState() != State.WAITING) {
                    pause = pause(pause);
                }
                synchronized (this) {
                    notifyAll();
                    if (starter.getState() != State.BLOCKED) {
                        return false;
                    }
                }
            }
            return true;
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
