package org.galerna.link.tcp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.galerna.link.FrameHandler;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.support.Loopback;
import org.galerna.link.tcp.connecting.ConnectionLimit;
import org.galerna.link.tcp.connecting.Departure;
import org.galerna.link.tcp.connecting.Membership;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.Inbound;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.memory.OwnerLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all connections in turn, and reports who has left after the last frame that came from there. One thread at a
 * time does that; others that come meanwhile find nothing.
 */
final class Rounds implements AutoCloseable {
    /** So many connections keep the rings that they have. */
    private static final int FEW_RINGS = 8;

    /** Of so many connections one more than necessary is paused, so that not every new one has to wait. */
    private static final int BATCH = 8;

    private final Membership membership;
    private final BiConsumer<Integer, String> lost;
    private final OwnerLock polling = new OwnerLock(ProcessFence.instance());
    private final Readiness readiness = new Readiness();
    private volatile @Nullable Loopback loopback;
    private final ConnectionLimit limit;
    private volatile boolean reviewDue;
    private volatile boolean roomWanted;
    private volatile boolean wantsRoom;

    // of the polling thread
    private int departuresSeen;
    private long looks; // at which connections are in use

    /**
     * With nothing to look at yet.
     *
     * @param limit connections that are kept
     * @param lost told of a peer whose connection has broken or ended without a goodbye, and why
     */
    Rounds(Membership membership, ConnectionLimit limit, BiConsumer<Integer, String> lost) throws IOException {
        this.membership = membership;
        this.limit = limit;
        this.lost = lost;
    }

    /** From now on what the rank sends to itself is looked for, too. */
    void add(Loopback own) {
        loopback = own;
    }

    /** As {@link org.galerna.link.Link#poll}. */
    int poll(FrameHandler handler, int limit) {
        if (!polling.tryLock()) {
            return 0;
        }
        try {
            return look(handler, limit);
        } finally {
            polling.unlock();
        }
    }

    private int look(FrameHandler handler, int limit) {
        Loopback own = loopback;
        int handled = own == null ? 0 : own.poll(handler, limit);
        Connection[] connections = membership.connected();
        if (connections.length <= Readiness.FEW) {
            for (Connection each : connections) {
                handled += look(each, handler, limit);
            }
        } else {
            readiness.update(connections);
            for (Connection each : connections) {
                handled += each.needsLook() ? look(each, handler, limit) : 0;
            }
        }
        if (reviewDue) {
            reviewDue = false;
            roomWanted = false;
            review(connections, handler);
            pauseUnused(connections, true);
        } else if (roomWanted) {
            roomWanted = false;
            pauseUnused(connections, false);
        }
        int departures = membership.departures.getAcquire();
        if (departures != departuresSeen) {
            departuresSeen = departures;
            handled += report(handler);
        }
        return handled;
    }

    /** Lets the next look have given back what has not been used since the last review. Any thread. */
    void review() {
        reviewDue = true;
    }

    /** Lets the next look pause connections, so that there is room for another one. Any thread. */
    void makeRoom() {
        roomWanted = true;
        wantsRoom = true;
    }

    /** Whether somebody has asked for room since the last review. */
    boolean isRoomWanted() {
        return wantsRoom;
    }

    /**
     * Pauses those that were used longest ago, of more than are kept.
     *
     * @param pulse whether it is time for those, too, that have not been used since they were opened
     */
    private void pauseUnused(Connection[] connections, boolean pulse) {
        int kept = limit.mostOthers();
        if (connections.length < kept) {
            wantsRoom &= !pulse;
            return;
        }
        looks++;
        List<Connection> candidates = new ArrayList<>();
        int open = 0;
        for (Connection each : connections) {
            each.noteUse(looks);
            if (each.out().wire() != null && !membership.isNeighbour(each.peer())) {
                open++;
                candidates.add(each);
            }
        }
        int excess = open - kept + (wantsRoom ? Math.max(1, kept / BATCH) : 0);
        wantsRoom &= !pulse;
        if (excess <= 0) {
            return;
        }
        candidates.sort(Comparator.comparingLong(Connection::lastUse));
        for (Connection each : candidates) {
            if (excess > 0 && each.pause(pulse)) {
                excess--;
            }
        }
        if (excess > 0) {
            wantsRoom = true; // those that are in use now are looked at again
        }
    }

    private static void review(Connection[] connections, FrameHandler handler) {
        if (connections.length > FEW_RINGS) {
            for (Connection each : connections) {
                if (each.hasSilentRing()) {
                    handler.onReleaseAsked(each.peer());
                }
            }
        }
    }

    private int look(Connection connection, FrameHandler handler, int limit) {
        try {
            int handled = connection.poll(handler, limit);
            Inbound in = connection.in();
            if (in != null && in.hasSaidGoodbye()) {
                membership.gone(connection.peer(), FrameHandler.LEFT, false);
            } else if (in != null && in.hasEnded()) {
                lost.accept(connection.peer(), "the connection to it has ended without a goodbye");
            }
            return handled;
        } catch (ProtocolException wrong) {
            lost.accept(connection.peer(), "it does not keep to the protocol: " + wrong.getMessage());
        } catch (IOException broken) {
            lost.accept(connection.peer(), "the connection to it is broken: " + broken.getMessage());
        }
        return 0;
    }

    private int report(FrameHandler handler) {
        int handled = 0;
        for (Departure departure : membership.unreported()) {
            int peer = departure.peer();
            Connection connection = membership.connectionIfAny(peer);
            if (connection != null) {
                handled += takeLast(connection, handler);
                membership.forget(peer);
                connection.disconnect();
                connection.transfers().fail(departure.reason());
            }
            if (departure.lost()) {
                handler.onPeerLost(peer, departure.reason());
            } else {
                handler.onPeerLeft(peer);
            }
            handled++;
        }
        return handled;
    }

    private int takeLast(Connection connection, FrameHandler handler) {
        int handled = 0;
        int last;
        do {
            last = look(connection, handler, Integer.MAX_VALUE);
            handled += last;
        } while (last > 0 || connection.takeMoved());
        return handled;
    }

    @Override
    public void close() {
        readiness.close();
    }
}
