package org.galerna.link.support;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;

/**
 * Knows who is there, on a thread of its own that listens to a control link. Whoever wants something of it leaves a job and goes
 * on, so that the way of a message has no lock for it. Messages do not pass through it.
 */
public abstract class LinkManager implements FrameHandler, AutoCloseable {
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BUSY_ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int POLL_LIMIT = 64;
    private static final int JOIN_MILLIS = 10;

    /** How long a rank that does not wait for its peers lets them hear that it leaves. */
    private static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(1);

    protected final Link control;

    /** Of the thread. */
    protected final Suspicions suspicions = new Suspicions();

    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Not started.
     *
     * @param name of the thread
     * @param control closed with this
     */
    @SuppressWarnings("this-escape") // the thread is started later
    protected LinkManager(String name, Link control) {
        this.control = control;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name(name)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    // ---- any thread

    /** Has something done by the thread, soon. */
    public final void tell(Runnable job) {
        jobs.add(job);
        control.waiter().wakeUp();
    }

    /** The way to a peer does not work any more; why, the control link may know better. */
    public abstract void lose(int peer, String reason);

    /** A peer is to look at what has come for it. */
    public abstract void rouse(int peer);

    /** Tells the others that this rank leaves: everything is sent. */
    public abstract void leave();

    /** Whether everybody has been told, or cannot be. */
    public abstract boolean hasLeft();

    /** Whether the others know that this rank has left. */
    public boolean isDrained() {
        return control.drain(0);
    }

    // ---- the thread

    private void run() {
        while (!closed) {
            boolean more = round();
            control.waiter().prepare();
            if (control.poll(this, POLL_LIMIT) > 0 || !jobs.isEmpty()) {
                control.waiter().cancel();
            } else {
                control.waiter().await(more ? BUSY_ROUND_NANOS : ROUND_NANOS);
            }
        }
        boolean unused = round();
    }

    private boolean round() {
        Runnable job;
        while ((job = jobs.poll()) != null) {
            job.run();
        }
        control.poll(this, POLL_LIMIT);
        return manage();
    }

    /** Goes on with what is under way; true if more may follow soon. */
    protected abstract boolean manage();

    /**
     * Ends the thread; returns when it does nothing more. An interrupt of the calling thread is kept for afterwards: it would
     * break what is closed.
     */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            control.waiter().wakeUp();
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException hurry) {
                interrupted = true;
            }
        }
        end();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The thread has ended: closes what it has used. */
    protected void end() {
        control.stop();
        boolean unused = control.drain(GOODBYE_NANOS); // peers with whom there is no connection yet are to hear it, too
        control.close();
    }
}
