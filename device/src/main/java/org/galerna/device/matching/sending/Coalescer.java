package org.galerna.device.matching.sending;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.galerna.link.Link;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the messages of {@link Burst}s back until they are worth a call of the system, and sees to it that none is kept
 * for long: whoever makes progress sends them first; a thread of its own sends what a rank that computes has left behind,
 * within a few milliseconds. That thread runs only while there are bursts.
 *
 * <p>Argument that nothing is left behind. A sender commits a frame, then says so in the burst (release), then here
 * (volatile); a flush takes both back, here first, before it looks at the frames. So a flush that misses a frame leaves the
 * word that was said of it for the next one. A sender that has said so looks whether the thread watches, and the thread,
 * before it stops watching, says so and looks once more; of these two volatile pairs one sees the other.
 */
public final class Coalescer {
    /** Threads of this class. */
    public static final int MOST_THREADS = 1;

    private static final VarHandle HELD;
    private static final long LOOK_NANOS = 1_000_000;

    /** Looks in a row that find nothing after which the thread stops watching. */
    private static final int MOST_IN_VAIN = 100;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(Coalescer.class, "held", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;
    private final HeldSend request = new HeldSend(this::flush);
    private volatile Burst[] bursts = {};
    private volatile boolean held;
    private volatile boolean watching;
    private volatile boolean closed;
    private @Nullable Thread watcher; // guarded by this
    private final Rounds rounds;

    /**
     * Nothing is held.
     *
     * @param name of the thread
     * @param rounds count how often somebody makes progress: a burst ends there
     */
    public Coalescer(String name, Rounds rounds) {
        this.name = name;
        this.rounds = rounds;
    }

    /** One for the peers of a rank; null if none is reached by a link that calls the system for each flush. */
    public static @Nullable Coalescer ifNeeded(Link link, int rank, int size, Rounds rounds) {
        return IntStream.range(0, size)
                        .anyMatch(
                                peer -> peer != rank && link.via(peer).traits().writesOnFlush())
                ? new Coalescer("galerna-gatherer-" + rank, rounds)
                : null;
    }

    /** The bursts to one peer. */
    public synchronized Burst burst(Runnable flush) {
        Burst added = new Burst(rounds, this::hold, flush);
        Burst[] known = bursts;
        Burst[] all = Arrays.copyOf(known, known.length + 1);
        all[known.length] = added;
        bursts = all;
        return added;
    }

    /** The request of a send that is complete, and may be held. */
    public HeldSend request() {
        return request;
    }

    /** Sends what is held. To be called by whoever makes progress, before it looks for news. */
    public void flush() {
        if (held && (boolean) HELD.getAndSet(this, false)) {
            for (Burst each : bursts) {
                each.flush();
            }
        }
    }

    private void hold() {
        held = true;
        if (!watching) {
            watch();
        }
    }

    /** Whether the thread looks for what is left behind; else it sleeps until somebody holds a frame. */
    public boolean isWatching() {
        return watching;
    }

    private synchronized void watch() {
        if (closed) {
            return;
        }
        watching = true;
        if (watcher == null) {
            watcher = Thread.ofPlatform().daemon().name(name).start(this::look);
        } else {
            LockSupport.unpark(watcher);
        }
    }

    private void look() {
        int inVain = 0;
        while (!closed) {
            int before = rounds.number();
            LockSupport.parkNanos(this, watching ? LOOK_NANOS : Long.MAX_VALUE);
            if (!held) {
                if (++inVain >= MOST_IN_VAIN) {
                    inVain = 0;
                    watching = false;
                    if (held) { // by a sender that still saw it true
                        watching = true;
                    } // and not "watching = held", which could undo what a sender has said meanwhile
                }
            } else {
                inVain = 0;
                if (rounds.number() == before) {
                    flush();
                }
            }
        }
    }

    /** Sends what is held, and ends the thread. */
    public synchronized void close() {
        closed = true;
        flush();
        LockSupport.unpark(watcher);
    }
}
