package org.galerna.link.verbs.connecting;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/** What the ranks have published of their adapters. Safe for use by many threads. */
public final class Directory {
    private static final String KEY = "adapter";

    private final Wireup wireup;
    private final PeerAddress own;
    private final @Nullable PeerAddress[] addresses; // guarded by this

    private Directory(Wireup wireup, PeerAddress own) {
        this.wireup = wireup;
        this.own = own;
        this.addresses = new PeerAddress[wireup.size()];
    }

    public static Directory publish(Wireup wireup, PeerAddress own) {
        wireup.put(KEY, own.encode());
        return new Directory(wireup, own);
    }

    int size() {
        return addresses.length;
    }

    /**
     * The address of a peer. May wait for the wire-up.
     *
     * @throws CommunicationException if it has published none
     */
    public synchronized PeerAddress address(int peer) {
        PeerAddress known = addresses[peer];
        if (known == null) {
            try {
                known = PeerAddress.decode(wireup.get(peer, KEY));
            } catch (IllegalArgumentException malformed) {
                throw new CommunicationException(
                        "rank " + peer + " has published an address that is none: " + malformed.getMessage(),
                        malformed);
            }
            addresses[peer] = known;
        }
        return known;
    }

    InetSocketAddress listener(int peer) {
        InetSocketAddress listener = address(peer).listener();
        if (listener == null) {
            throw new CommunicationException("rank " + peer + " does not listen with RDMA CM");
        }
        return listener;
    }

    /** Why a peer cannot be reached; empty if it may be. */
    public Optional<String> unreachable(int peer) {
        try {
            return own.against(address(peer)).map(reason -> "rank " + peer + " cannot be reached by verbs: " + reason);
        } catch (CommunicationException nothing) {
            return Optional.of("rank " + peer + " has no usable adapter for verbs");
        }
    }
}
