package org.galerna.link.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.function.Supplier;
import org.galerna.link.support.LeaderWaiter;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.wire.Closing;
import org.galerna.link.tcp.wire.Wire;

/**
 * Where the threads of a rank sleep whose leader sleeps in a selector that all connections are registered with.
 *
 * <p>Argument for no lost wake-up, with that of {@link LeaderWaiter}. What comes from the network is still there to be read when
 * the leader begins to select, and the selector remembers that it was woken. The same goes for a connection that runs out of
 * room on another thread, which would not know of the room that there is again: that thread first says so and then looks for a
 * leader, a leader first says that it leads and then looks for connections without room.
 */
final class Waiter extends LeaderWaiter {
    private static final Connection[] NONE = {};

    private final String name;
    private final Supplier<Connection[]> connections;
    private final Selector selector;

    // of the leader, of which there is one at a time
    private Connection[] registered = NONE;
    private boolean watchesForRoom;

    /**
     * Nobody sleeps.
     *
     * @param connections those that can wake a sleeper at the moment
     */
    Waiter(String name, Supplier<Connection[]> connections) throws IOException {
        super(name);
        this.name = name;
        this.connections = connections;
        this.selector = Selector.open();
    }

    /** A connection has run out of room: whoever sleeps until something comes has to wait for that, too. */
    void watchForRoom() {
        wakeLeaderIfAny();
    }

    /** {@inheritDoc} The leader waits for room in sockets, and whoever opens a connection wakes all. */
    @Override
    public boolean wakesForRoom() {
        return true;
    }

    @Override
    protected void lead(long nanos) {
        try {
            Connection[] watched = connections.get();
            boolean all = watched != registered || watchesForRoom;
            registered = watched;
            watchesForRoom = false;
            for (Connection each : watched) {
                Wire wire = each.wire();
                if (wire == null) {
                    registered = NONE; // about to begin: again before the next sleep
                } else if (wire.hasBuffered()) {
                    registered = NONE;
                    return;
                } else if (all || each.out().isBlocked()) {
                    Wire written = each.out().wire();
                    boolean blocked = each.out().isBlocked();
                    watchesForRoom |= blocked;
                    wire.select(selector, each, true, blocked && (written == wire || written == null));
                    if (blocked && written != null && written != wire) {
                        written.select(selector, each, false, true);
                    }
                }
            }
            selector.select(_ -> {}, nanos / 1_000_000);
        } catch (ClosedSelectorException closedMeanwhile) {
            // the link is gone, and nobody sleeps at it any more
        } catch (IOException failed) {
            throw new UncheckedIOException("the sockets of " + name + " cannot be waited for", failed);
        }
    }

    @Override
    protected void wakeLeader() {
        selector.wakeup();
    }

    @Override
    protected void release() {
        Closing.quietly(selector);
    }
}
