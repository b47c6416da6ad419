package org.galerna.messaging.dispatch;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** The virtual threads on which receivers of a node run. Any thread. */
public final class VirtualDeliveries {
    private static final long LOOK_NANOS = 100_000;

    private final String name;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /** None runs yet. */
    public VirtualDeliveries(String name) {
        this.name = name;
    }

    /** Runs something on a thread of its own; here if there can be no more threads. */
    void run(Runnable work) {
        Thread thread;
        try {
            thread = Thread.ofVirtual().name(name).unstarted(() -> {
                try {
                    work.run();
                } finally {
                    threads.remove(Thread.currentThread());
                }
            });
            threads.add(thread);
            thread.start();
        } catch (OutOfMemoryError noThread) {
            work.run();
        }
    }

    /** How many run. */
    public int size() {
        return threads.size();
    }

    /**
     * Waits until all have ended, but for the calling one.
     *
     * @param deadline as of {@link System#nanoTime}
     * @return false if some still run
     */
    public boolean awaitEnd(long deadline) throws InterruptedException {
        while (!others().isEmpty()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return true;
    }

    /** Interrupts those that run, but for the calling one. */
    public void interrupt() {
        others().forEach(Thread::interrupt);
    }

    private List<Thread> others() {
        threads.removeIf(each -> each.getState() == Thread.State.TERMINATED);
        return threads.stream().filter(each -> each != Thread.currentThread()).toList();
    }
}
