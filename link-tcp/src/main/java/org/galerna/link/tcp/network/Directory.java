package org.galerna.link.tcp.network;

import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.wireup.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * What the wire-up tells: the job's key, and the addresses of the others. A rank may attach several times, with another
 * name for its address each time, so that its n-th attachment meets the n-th ones of the others.
 */
public final class Directory {
    // weak keys: who forgets its wire-up will not attach again
    private static final Map<Wireup, Map<String, Integer>> ROUNDS = new WeakHashMap<>();

    /** Added to the name of an attachment: the key of what ranks of one host say alike. */
    private static final String PLACE = ".place";

    private final Wireup wireup;
    private final Network network;
    private final Address own;
    private final String name;
    private final int round;
    private final SharedAddresses addresses;
    private @Nullable Authenticator proof; // guarded by this

    private Directory(Wireup wireup, Network network, Address own, String name, int round) {
        this.wireup = wireup;
        this.network = network;
        this.own = own;
        this.name = name;
        this.round = round;
        this.addresses = SharedAddresses.of(wireup.job() + "/" + name, wireup.size());
    }

    /** Publishes the address of this rank. */
    public static Directory publish(Wireup wireup, String link, Network network, Address own) {
        int round;
        synchronized (ROUNDS) {
            round = ROUNDS.computeIfAbsent(wireup, _ -> new HashMap<>()).merge(link, 1, Integer::sum) - 1;
        }
        if (round == 0) {
            JobKey.publish(wireup);
        }
        String name = "galerna." + link + "." + round;
        wireup.put(name, own.encode());
        if (wireup.isOneHost() && network.isReachedFromHost(own)) {
            wireup.put(name.concat(PLACE), own.place());
        }
        return new Directory(wireup, network, own, name, round);
    }

    public int round() {
        return round;
    }

    /** Name of this attachment, the same on all ranks. */
    public String name() {
        return name;
    }

    /** What this rank proves with that it belongs to the job. May wait for the wire-up. */
    public synchronized Authenticator proof() {
        Authenticator known = proof;
        if (known == null) {
            known = new Authenticator("", JobKey.of(wireup));
            proof = known;
        }
        return known;
    }

    /**
     * The address of a peer. May wait for the wire-up.
     *
     * @throws CommunicationException if it has published none
     */
    public Address address(int peer) {
        Address known = addresses.get(peer);
        if (known == null) {
            byte[] published = wireup.get(peer, name);
            try {
                known = Address.decode(published);
            } catch (IllegalArgumentException malformed) {
                throw new CommunicationException(
                        "rank " + peer + " has published an address that is none: " + malformed.getMessage(),
                        malformed);
            }
            addresses.set(peer, known);
        }
        return known;
    }

    /** Whether the address is known already, or the wire-up has it for sure. */
    public boolean knows(int peer) {
        return addresses.get(peer) != null || reachesAll();
    }

    /**
     * Whether all ranks are on this host and can be reached there, as they have all said alike: nobody needs the address of a peer before
     * the first call. Does not block.
     */
    public boolean reachesAll() {
        return wireup.common(name.concat(PLACE)).isPresent();
    }

    /** Name of a peer's host, for messages; if its address is known already. */
    public String hostName(int peer) {
        Address known = addresses.get(peer);
        return known == null ? "its host" : known.hostName();
    }

    /** The address of this rank. */
    public Address own() {
        return own;
    }

    /** Whether all ranks are on this host. May wait for the wire-up. */
    public boolean isOneHost() {
        if (reachesAll()) {
            return true;
        }
        for (int peer = 0; peer < addresses.size(); peer++) {
            if (!address(peer).sharesNetworkWith(own)) {
                return false;
            }
        }
        return true;
    }

    /** Where to try to reach a peer. */
    public List<SocketAddress> candidates(int peer) {
        try {
            return network.candidates(own, address(peer));
        } catch (IllegalArgumentException malformed) {
            throw new CommunicationException(
                    "rank " + peer + " has published an address that is none: " + malformed.getMessage(), malformed);
        }
    }

    /** Why a peer cannot be reached; empty if it may be. */
    public Optional<String> unreachable(int peer) {
        Address other = address(peer);
        if (!other.security().equals(own.security())) {
            return Optional.of("rank " + peer + " on " + other.hostName() + " uses " + other.security()
                    + ", and this rank on " + own.hostName() + " uses " + own.security() + "; " + Security.PROPERTY
                    + " and what belongs to it have to be the same on both sides");
        }
        if (network.isCalledBy(peer) || !candidates(peer).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("rank " + peer + " on " + other.hostName() + " listens at "
                + String.join(", ", other.sockets()) + " only, where " + own.hostName() + " cannot reach it");
    }
}
