package org.galerna.device.support;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;

/**
 * Whether a thread of this rank may still send something while others of it wait. In doubt it may: only a rank whose
 * threads all wait in calls has nobody left to do so. Looked at only when nobody else is there to send.
 *
 * <p>The threads of a rank are those of the group that it was started in. Threads that work for the whole virtual machine
 * count too while they are busy: pools that run tasks, what wakes virtual threads, which nothing else shows, and what waits
 * for processes.
 */
public final class OtherThreads {
    private static final String OWN = "galerna-";

    private static final String POOL = "ForkJoinPool";

    /** Of a pool: the thread that starts tasks after a while, virtual threads that sleep too; without any it waits without a limit. */
    private static final String CLOCK = "delayScheduler";

    /** They run tasks when something happens outside, for which they wait inside the system. */
    private static final List<String> SENTRIES = List.of("Read-Poller", "Write-Poller", "process reaper");

    /** It is there from the return of the method {@code main} to the end, and only waits for the others. */
    private static final String EPILOGUE = "DestroyJavaVM";

    private final ThreadGroup group;
    private final BlockedCalls blocked;

    /** For the rank that the calling thread belongs to. */
    public OtherThreads(BlockedCalls blocked) {
        this.group = groupOf(Thread.currentThread());
        this.blocked = blocked;
    }

    private static ThreadGroup groupOf(Thread running) {
        ThreadGroup own = running.getThreadGroup();
        if (own == null) {
            throw new IllegalStateException("the calling thread has ended");
        }
        return own;
    }

    /** Whether a thread of the rank may still send something. Slow. */
    public boolean mayAct() {
        Set<Thread> waiting = blocked.threads();
        for (Thread each : threads(group)) {
            if (!waiting.contains(each) && !isIdle(each)) {
                return true;
            }
        }
        for (Thread each : threads(root())) {
            if (!waiting.contains(each) && isBusyForAnybody(each)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isIdle(Thread thread) {
        return thread.getName().equals(EPILOGUE)
                || (thread.isDaemon() && thread.getName().startsWith(OWN));
    }

    private static boolean isBusyForAnybody(Thread thread) {
        String name = thread.getName();
        if (name.startsWith(POOL)) {
            return name.endsWith(CLOCK)
                    ? thread.getState() != Thread.State.WAITING
                    : Arrays.stream(thread.getStackTrace()).noneMatch(OtherThreads::awaitsWork);
        }
        return SENTRIES.stream().anyMatch(name::startsWith) && thread.getState() == Thread.State.RUNNABLE;
    }

    private static boolean awaitsWork(StackTraceElement frame) {
        return frame.getClassName().equals(ForkJoinPool.class.getName())
                && frame.getMethodName().equals("awaitWork");
    }

    private ThreadGroup root() {
        ThreadGroup root = group;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return root;
    }

    private static Set<Thread> threads(ThreadGroup of) {
        int room = 16;
        while (true) {
            Thread[] found = new Thread[room];
            int count = of.enumerate(found);
            if (count < room) { // one that does not fit is left out silently
                return Set.copyOf(Arrays.asList(Arrays.copyOf(found, count)));
            }
            room *= 2;
        }
    }
}
