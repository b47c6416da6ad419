package org.galerna.link.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.galerna.link.LinkWaiter;
import org.galerna.link.ProcessFence;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.wire.Closing;
import org.galerna.link.tcp.wire.Wire;
import org.galerna.memory.Doorbell;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of a rank sleep. One of them, the leader, sleeps in a selector that all connections are registered
 * with, and wakes the others at their doorbell when it leaves. For virtual threads, which must not block in the system, a
 * thread of the platform leads; it is started by the first virtual thread that sleeps.
 *
 * <p>Argument for no lost wake-up. What comes from the network is still there to be read when the leader begins to
 * select. A ringer first takes all sleepers off the doorbell's list and then looks for a leader; a leader first says that
 * it leads and then looks whether it is still on the list. So either the ringer sees the leader and wakes the selector,
 * which remembers that, or the leader sees that it has been rung for. The same goes for a connection that runs out of room
 * on another thread, which would not know of the room that there is again: that thread first says so and then looks for a
 * leader, a leader first says that it leads and then looks for connections without room.
 */
final class Waiter implements LinkWaiter {
    /** Shorter sleeps need no selector: whoever sleeps so shortly looks itself. */
    private static final long LEAST_SELECT_NANOS = 1_000_000;

    private static final long HELPER_NANOS = 1_000_000_000;

    private final String name;
    private final Supplier<Connection[]> connections;
    private final Doorbell doorbell = new Doorbell(ProcessFence.instance());
    private final Selector selector;
    private final AtomicBoolean leading = new AtomicBoolean();
    private final AtomicInteger virtualSleepers = new AtomicInteger();
    private volatile @Nullable Thread helper;
    private volatile boolean closed;

    /**
     * Nobody sleeps.
     *
     * @param connections those that can wake a sleeper at the moment
     */
    Waiter(String name, Supplier<Connection[]> connections) throws IOException {
        this.name = name;
        this.connections = connections;
        this.selector = Selector.open();
    }

    @Override
    public void prepare() {
        doorbell.prepare();
    }

    @Override
    public void cancel() {
        doorbell.cancel();
    }

    @Override
    public void wakeUp() {
        doorbell.ring();
        if (leading.get()) {
            selector.wakeup();
        }
    }

    /** A connection has run out of room: whoever sleeps until something comes has to wait for that, too. */
    void watchForRoom() {
        if (leading.get()) {
            selector.wakeup();
        }
    }

    @Override
    public void await(long nanos) {
        if (Thread.currentThread().isVirtual()) {
            virtualSleepers.incrementAndGet();
            LockSupport.unpark(helper());
            try {
                doorbell.sleep(nanos);
            } finally {
                virtualSleepers.decrementAndGet();
            }
        } else if (nanos >= LEAST_SELECT_NANOS && leading.compareAndSet(false, true)) {
            try {
                if (doorbell.isPrepared()) {
                    select(nanos);
                }
            } finally {
                doorbell.cancel();
                leading.set(false);
                doorbell.ring();
            }
        } else {
            doorbell.sleep(nanos);
        }
    }

    private void select(long nanos) {
        try {
            for (Connection each : connections.get()) {
                Wire wire = each.wire();
                if (wire != null) {
                    if (wire.hasBuffered()) {
                        return;
                    }
                    wire.select(selector, each, true, each.out().isBlocked());
                }
            }
            selector.select(_ -> {}, nanos / 1_000_000);
        } catch (ClosedSelectorException closedMeanwhile) {
            // the link is gone, and nobody sleeps at it any more
        } catch (IOException failed) {
            throw new UncheckedIOException("the sockets of " + name + " cannot be waited for", failed);
        }
    }

    private Thread helper() {
        Thread running = helper;
        return running != null ? running : startHelper();
    }

    private synchronized Thread startHelper() {
        Thread running = helper;
        if (running == null) {
            running = Thread.ofPlatform().daemon().name(name + "-waiter").start(this::help);
            helper = running;
        }
        return running;
    }

    private void help() {
        while (!closed) {
            if (virtualSleepers.get() == 0 || !leading.compareAndSet(false, true)) {
                LockSupport.parkNanos(this, HELPER_NANOS);
                continue;
            }
            try {
                select(HELPER_NANOS);
            } finally {
                leading.set(false);
                doorbell.ring();
            }
        }
    }

    void close() {
        closed = true;
        Closing.quietly(selector);
        Thread running = helper;
        if (running != null) {
            LockSupport.unpark(running);
        }
        doorbell.ring();
    }
}
