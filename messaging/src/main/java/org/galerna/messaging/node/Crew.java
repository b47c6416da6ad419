package org.galerna.messaging.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.NodeHealth;
import org.galerna.messaging.support.NodeLife;
import org.galerna.messaging.support.ThrownText;
import org.galerna.messaging.waiting.HandlerThread;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a node. Nothing that they run is to end them; one that dies all the same is reported and replaced, by
 * itself in its last act, or by any other that finds it dead.
 */
public final class Crew {
    /** One that has died may do so again: replacing it is not to take all of a processor. */
    private static final long REPLACEMENT_NANOS = 10_000_000;

    private static final Duration RING = Duration.ofMillis(1);

    /** What a handler does. */
    interface Work extends Runnable {
        /** When it has taken what it is at, by the coarse clock; 0 if it is at nothing. */
        long busySince();
    }

    private final NodeParts node;
    private final NodeLife life;
    private final List<Member> members = new ArrayList<>(); // complete before any of them starts

    // written with the monitor
    private volatile long replaced;
    private volatile String lastDeath = "";

    Crew(NodeParts node) {
        this.node = node;
        this.life = node.life();
    }

    /** What one thread after the other does, should it die. */
    public final class Member {
        private final String name;
        private final @Nullable Work handler;
        private final Runnable work;
        private volatile Thread thread; // written with the crew's monitor

        private Member(String name, @Nullable Work handler, Runnable work) {
            this.name = node.threadName(name);
            this.handler = handler;
            this.work = work;
            this.thread = newThread(() -> run(false));
        }

        private Thread newThread(Runnable run) {
            return handler != null
                    ? new HandlerThread(node.wakeup(), name, run)
                    : Thread.ofPlatform()
                            .name(name)
                            .daemon()
                            .inheritInheritableThreadLocals(false)
                            .unstarted(run);
        }

        private void run(boolean again) {
            Throwable cause = null;
            try {
                if (again) {
                    LockSupport.parkNanos(this, REPLACEMENT_NANOS);
                }
                work.run();
            } catch (Throwable thrown) {
                cause = thrown;
            }
            if (!isOver()) {
                replace(this, Thread.currentThread(), cause);
            }
        }

        private boolean isMissing() {
            return !isOver() && thread.getState() == Thread.State.TERMINATED;
        }

        void wake() {
            LockSupport.unpark(thread);
        }

        private boolean isOver() {
            return handler != null ? life.isStopping() : life.isEnded();
        }
    }

    void addHandler(String name, Work handler) {
        members.add(new Member(name, handler, handler));
    }

    /** Adds a thread that runs no receivers; before the node is started. */
    public Member add(String name, Runnable work) {
        Member member = new Member(name, null, work);
        members.add(member);
        return member;
    }

    void start() {
        members.forEach(each -> each.thread.start());
    }

    private void replace(Member member, Thread dead, @Nullable Throwable cause) {
        String death = member.name + ": " + (cause == null ? "it has ended" : ThrownText.describe(cause));
        synchronized (this) {
            if (member.thread != dead || member.isOver() || (dead != Thread.currentThread() && dead.isAlive())) {
                return; // somebody else was faster
            }
            Thread next = member.newThread(() -> member.run(true));
            next.start(); // fails if there can be no more threads; then the next thread that looks tries again
            member.thread = next;
            replaced++;
            lastDeath = death;
        }
        node.failures().report(() -> "the thread " + member.name + " has died, and was replaced", cause);
    }

    /** Replaces those that have died without a word. Any thread. */
    void check() {
        for (Member each : members) {
            if (each.isMissing()) {
                replace(each, each.thread, null);
            }
        }
    }

    // ---- the end

    /**
     * Waits until handlers, or all threads, have ended, but for the calling one.
     *
     * @param deadline as of {@link System#nanoTime}
     * @return false if some are still alive
     */
    boolean awaitEnd(boolean handlersOnly, long deadline) throws InterruptedException {
        for (Member each : members) {
            Thread thread = each.thread;
            while ((each.handler != null || !handlersOnly) && isElse(thread)) {
                node.wakeup().ring();
                LockSupport.unpark(thread);
                if (!thread.join(RING) && System.nanoTime() - deadline > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isElse(Thread thread) {
        return thread != Thread.currentThread() && thread.isAlive();
    }

    /** Interrupts the handlers that have not ended. */
    void interrupt() {
        handlers().forEach(Thread::interrupt);
    }

    private List<Thread> handlers() {
        return members.stream()
                .filter(each -> each.handler != null)
                .map(each -> each.thread)
                .filter(Crew::isElse)
                .toList();
    }

    /** Names of the handlers that are still alive. */
    List<String> left() {
        return handlers().stream().map(Thread::getName).toList();
    }

    /** Whether a handler waits for a response. */
    boolean isWaiting() {
        for (int each = 0; each < members.size(); each++) {
            if (members.get(each).thread instanceof HandlerThread handler
                    && handler.waitsFor() != HandlerThread.NOBODY) {
                return true;
            }
        }
        return false;
    }

    /** Of each handler the node whose response it waits for. */
    List<Integer> waitsFor() {
        return members.stream()
                .filter(each -> each.handler != null)
                .map(each -> each.thread instanceof HandlerThread handler ? handler.waitsFor() : HandlerThread.NOBODY)
                .toList();
    }

    /** How the threads are. */
    public NodeHealth health(boolean closed) {
        check();
        int busy = 0;
        int missing = 0;
        long longest = 0;
        for (Member each : members) {
            long since = each.handler == null ? 0 : each.handler.busySince();
            if (since != 0) {
                busy++;
                longest = Math.max(longest, node.clock().now() - since);
            }
            if (each.isMissing()) {
                missing++;
            }
        }
        return new NodeHealth(closed, members.size(), missing, replaced, lastDeath, busy, Duration.ofMillis(longest));
    }
}
