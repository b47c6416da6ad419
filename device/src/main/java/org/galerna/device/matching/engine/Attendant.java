package org.galerna.device.matching.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes progress for a rank whose own threads compute or sleep, while another rank waits for an answer that it must get
 * whatever this one does: whether its send is cancelled, for one. A peer {@linkplain org.galerna.link.Link#rouse rouses} this
 * rank; then a thread looks at what comes for it, as a thread of the rank that waits would, until no peer has asked for a
 * while. The thread is started by the first such call, and sleeps between them.
 *
 * <p>No call is lost: it is noted before the thread is unparked, and the thread looks for notes after it was.
 */
public final class Attendant {
    /** Threads of this class. */
    public static final int MOST_THREADS = 1;

    /** How long it looks after the last call: peers that still wait call more often. */
    private static final long LINGER_NANOS = 500_000_000;

    private final Progress progress;
    private final Thread thread;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean roused;
    private volatile boolean closed;

    /** Of the rank that the calling thread belongs to. */
    public Attendant(int rank, Progress progress) {
        this.progress = progress;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("galerna-attendant-" + rank)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::attend);
    }

    /** A peer wants this rank to look. Any thread; returns at once. */
    public void rouse() {
        roused = true;
        if (closed) {
            return;
        }
        if (started.compareAndSet(false, true)) {
            try {
                thread.start();
            } catch (OutOfMemoryError noThread) { // the peer calls again
                started.set(false);
            }
        } else {
            LockSupport.unpark(thread);
        }
    }

    private void attend() {
        long until = System.nanoTime();
        while (!closed) {
            if (roused) {
                roused = false;
                until = System.nanoTime() + LINGER_NANOS;
            }
            long left = until - System.nanoTime();
            if (left <= 0) {
                LockSupport.park(this);
                continue;
            }
            try {
                progress.attend(left);
            } catch (RuntimeException broken) { // the rank's own next call finds the same, and says so
                until = System.nanoTime();
            }
        }
    }

    /** Ends it; returns when the thread looks at nothing more. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
        if (!started.get()) {
            return; // one that is started now finds that it is over
        }
        progress.wakeUp();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
