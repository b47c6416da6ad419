package org.galerna.device;

import static org.galerna.device.Device.ANY_SOURCE;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which ranks can still send a message in a context. Any thread may ask: ranks only ever leave, so an answer that comes
 * late is one that was right a moment ago.
 */
final class Senders {
    /** Who is left of those that a receive may get its message from. */
    enum Left {
        /** A rank that is there. */
        OTHERS,
        /** This rank itself: all others have left in good order. */
        ITSELF,
        /** Nobody: all have left in good order. */
        NOBODY,
        /** At most this rank itself: the others are gone, and not all of them in good order. */
        DEAD
    }

    private final int rank;
    private final Peer[] peers;
    private final Map<Integer, int[]> groups = new ConcurrentHashMap<>();

    Senders(int rank, Peer[] peers) {
        this.rank = rank;
        this.peers = peers;
    }

    /** In this context only these ranks send, until {@link #forget}. */
    void define(int context, int[] ranks) {
        groups.put(context, ranks.clone());
    }

    void forget(int context) {
        groups.remove(context);
    }

    /** Who can still send. A context in which this rank alone sends is not one that others have left. */
    Left left(int source, int context) {
        if (source != ANY_SOURCE) {
            Peer peer = peers[source];
            return peer.lost == null ? Left.OTHERS : peer.died ? Left.DEAD : Left.NOBODY;
        }
        int[] group = groups.get(context);
        boolean itself = false;
        boolean gone = false;
        boolean died = false;
        for (int each = 0; each < (group == null ? peers.length : group.length); each++) {
            int sender = group == null ? each : group[each];
            Peer peer = peers[sender];
            if (sender == rank) {
                itself = true;
            } else if (peer.lost == null) {
                return Left.OTHERS;
            } else {
                gone = true;
                died |= peer.died;
            }
        }
        if (died) {
            return Left.DEAD;
        }
        return !gone ? Left.OTHERS : itself ? Left.ITSELF : Left.NOBODY;
    }

    /** The ranks that are gone, in words. */
    String describe(int context) {
        int[] group = groups.get(context);
        return group == null || group.length == peers.length
                ? "all other ranks are gone"
                : "all ranks that it can come from are gone";
    }
}
