package org.galerna.link.wireup;

import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.galerna.link.Entrance;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;

/**
 * The wire-up as the control link sees it: with keys of its own, so that a job may have another link of the same kind
 * beside it, and this one again when the rank attaches again. Fences are the business of who has opened the link that ranks meet for.
 */
public final class ControlWireup implements Wireup {
    private static final String LINK = "tcp";

    // weak keys: who forgets its wire-up will not attach again
    private static final Map<Wireup, Map<String, Integer>> ROUNDS = new WeakHashMap<>();

    private final Wireup wireup;
    private final String job;
    private final String prefix;

    private ControlWireup(Wireup wireup, String link, int round) {
        this.wireup = wireup;
        this.job = wireup.job() + "." + link + "." + round;
        this.prefix = "galerna." + link + "." + round + ".";
    }

    /**
     * That of the next attachment of this rank.
     *
     * @param link name of the link whose ranks meet so
     */
    public static ControlWireup next(Wireup wireup, String link) {
        synchronized (ROUNDS) {
            Map<String, Integer> rounds = ROUNDS.computeIfAbsent(wireup, _ -> new HashMap<>());
            return new ControlWireup(wireup, link, rounds.merge(link, 1, Integer::sum) - 1);
        }
    }

    /** Opens the link that says who is there. */
    public Link openLink() {
        return LinkProvider.named(LINK).open(this, LinkOptions.DEFAULT);
    }

    /** {@inheritDoc} Of its own: ranks of a process share by this name what they know of an attachment. */
    @Override
    public String job() {
        return job;
    }

    @Override
    public Optional<String> nameOf(int peer) {
        return wireup.nameOf(peer);
    }

    @Override
    public int rank() {
        return wireup.rank();
    }

    @Override
    public int size() {
        return wireup.size();
    }

    @Override
    public void put(String key, byte[] value) {
        wireup.put(prefix + key, value);
    }

    @Override
    public void fence() {
        wireup.fence();
    }

    @Override
    public byte[] get(int rank, String key) {
        return wireup.get(rank, prefix + key);
    }

    @Override
    public void abort(int status, String reason) {
        wireup.abort(status, reason);
    }

    @Override
    public Optional<String> endOf(int rank) {
        return wireup.endOf(rank);
    }

    @Override
    public boolean leave(String name, Consumer<BitSet> staying) {
        return wireup.leave(prefix + name, staying);
    }

    @Override
    public void askWhoStays(String name) {
        wireup.askWhoStays(prefix + name);
    }

    @Override
    public Optional<Entrance> entrance() {
        return wireup.entrance().map(Prefixed::new);
    }

    /** As all keys, the names of who receives connections begin with the prefix. */
    private final class Prefixed implements Entrance {
        private final Entrance entrance;

        Prefixed(Entrance entrance) {
            this.entrance = entrance;
        }

        @Override
        public Optional<SocketAddress> address(int peer) {
            return entrance.address(peer);
        }

        @Override
        public byte[] preamble(String name) {
            return entrance.preamble(prefix + name);
        }

        @Override
        public Reception receive(String name, Consumer<SocketChannel> receiver) {
            return entrance.receive(prefix + name, receiver);
        }
    }

    @Override
    public void close() {
        // the wire-up is not this link's to close
    }
}
