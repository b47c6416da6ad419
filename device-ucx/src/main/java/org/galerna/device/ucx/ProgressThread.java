package org.galerna.device.ucx;

import java.util.concurrent.locks.LockSupport;
import org.galerna.nativeaccess.file.DescriptorWait;

/**
 * Looks at what comes for a rank while its own threads compute or sleep, so that peers get their answers whatever calls it makes.
 * As long as the rank's threads look by themselves, it only looks 50 times in a second whether they still do. Else it has UCX
 * show the next event by a descriptor, and waits for that.
 */
final class ProgressThread implements AutoCloseable {
    private static final long PAUSE_NANOS = 20_000_000;
    private static final long WATCH_NANOS = 200_000_000;

    private final Engine engine;
    private final UcxLoop loop;
    private final Presence presence;
    private final DescriptorWait events;
    private final Thread thread;
    private volatile boolean closed;

    ProgressThread(Engine engine, UcxLoop loop, Presence presence) {
        this.engine = engine;
        this.loop = loop;
        this.presence = presence;
        this.events = new DescriptorWait(engine.descriptor());
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("galerna-progress-" + engine.rank())
                .inheritInheritableThreadLocals(false)
                .unstarted(this::attend);
        engine.helpedBy(thread);
        loop.helpedBy(() -> LockSupport.unpark(thread));
        thread.start();
    }

    private void attend() {
        int seen = loop.looks() - 1;
        long watched = System.nanoTime();
        while (!closed) {
            if (System.nanoTime() - watched > WATCH_NANOS) {
                presence.look();
                engine.departures().watch();
                watched = System.nanoTime();
            }
            int looks = loop.looks();
            if (looks != seen && !engine.hasSleepers()) {
                seen = looks;
                LockSupport.parkNanos(this, PAUSE_NANOS);
                continue;
            }
            seen = looks;
            if (!loop.attend() && arm()) {
                events.await(WATCH_NANOS);
            }
        }
    }

    private boolean arm() {
        engine.lock();
        try {
            return engine.arm();
        } finally {
            engine.unlock();
        }
    }

    /** Ends it; returns when the thread looks at nothing more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        events.wakeUp();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        events.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
