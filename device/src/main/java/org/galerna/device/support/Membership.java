package org.galerna.device.support;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Wireup;
import org.galerna.link.counters.RankCounters;
import org.galerna.link.events.FlightEvents;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks of the job are still there, as far as this one knows. Any thread may ask. Ranks only ever leave, so an answer
 * that comes late is one that was right a moment ago.
 *
 * <p>Order: an entry is in the map before {@code number} counts it (volatile). Whoever reads the new number finds the entry, and
 * sees what the peer did before it left.
 */
public final class Membership {
    private final Wireup wireup;
    private final int rank;
    private final int size;
    private final RankCounters counters;
    private final Map<Integer, Departure> gone = new ConcurrentHashMap<>();
    private volatile int number;
    private volatile boolean closed;

    private record Departure(String reason, boolean inOrder) {}

    /** All ranks are there. */
    public Membership(Wireup wireup) {
        this.wireup = wireup;
        this.rank = wireup.rank();
        this.size = wireup.size();
        this.counters = RankCounters.open(wireup);
        FlightEvents.prepare();
    }

    /** All ranks have joined, by a device of that name. */
    public void joined(String device) {
        counters.joined(device);
        FlightEvents.rankJoined(rank, size, device, wireup.job());
    }

    /** With one from a peer, so many messages are there without a receive. For one thread at a time. */
    public void unexpected(int peer, int number) {
        if (counters.unexpected(number)) {
            FlightEvents.unexpected(rank, peer, number);
        }
    }

    /** What counts the messages and calls of this rank. */
    public RankCounters counters() {
        return counters;
    }

    /** This rank. */
    public int rank() {
        return rank;
    }

    /** Number of ranks, those that have left among them. */
    public int size() {
        return size;
    }

    /**
     * Takes note that a rank has left. Not to be called by two threads at once.
     *
     * @param reason one sentence without a subject, e.g. {@code "it has left the job"}
     * @param inOrder whether it has closed its device, and not died
     */
    public void remove(int peer, String reason, boolean inOrder) {
        gone.put(peer, new Departure(reason, inOrder));
        number = gone.size();
        FlightEvents.rankLeft(rank, peer, inOrder, reason);
    }

    /** Whether no rank has left. */
    public boolean isComplete() {
        return number == 0;
    }

    private @Nullable Departure departure(int peer) {
        return number == 0 ? null : gone.get(peer);
    }

    /** Whether a rank is there. */
    public boolean isThere(int peer) {
        return departure(peer) == null;
    }

    /** Whether a rank is gone, and has not left in good order. */
    public boolean hasDied(int peer) {
        Departure departure = departure(peer);
        return departure != null && !departure.inOrder;
    }

    /** Whether a rank has left in good order; false for {@link Device#ANY_SOURCE}. */
    public boolean hasLeftInOrder(int peer) {
        Departure departure = departure(peer);
        return departure != null && departure.inOrder;
    }

    /** This rank leaves: from now on {@link #checkOpen} fails. */
    public void close() {
        closed = true;
        counters.leave();
    }

    /** Whether this rank has left. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Fails where this rank has left.
     *
     * @throws DeviceException if it has
     */
    public void checkOpen() {
        if (closed) {
            throw new DeviceException(ErrorClass.OTHER, "rank " + rank + " of " + wireup.job() + " has left the job");
        }
    }

    /** The failure of an operation whose transfer has failed; the link may not have said yet that the peer is gone. */
    public DeviceException failed(String operation, int peer, CommunicationException failure) {
        return wireup.endOf(peer).isPresent()
                ? lost(operation, peer)
                : new DeviceException(
                        failure.isByLostPeer() ? ErrorClass.PROC_FAILED : ErrorClass.OTHER,
                        // a concatenation by + would make a class, in many ranks at once
                        operation.concat(" failed: ").concat(String.valueOf(failure.getMessage())),
                        failure);
    }

    /** The failure of an operation whose peer is gone. */
    public DeviceException lost(String operation, int peer) {
        Departure departure = departure(peer);
        String known = wireup.endOf(peer).orElse(departure == null ? null : departure.reason);
        String reason = closed ? "this rank has left the job itself" : known == null ? FrameHandler.LEFT : known;
        String message =
                "rank " + rank + ": " + operation + " cannot complete, because rank " + peer + " is gone: " + reason;
        boolean unfinished = reason.equals(FrameHandler.UNFINISHED);
        return unfinished || reason.equals(FrameHandler.LEFT)
                ? DeviceException.left(message, peer, !unfinished)
                : new DeviceException(ErrorClass.PROC_FAILED, message);
    }
}
