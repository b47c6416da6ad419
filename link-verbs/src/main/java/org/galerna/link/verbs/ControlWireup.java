package org.galerna.link.verbs;

import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.galerna.link.Wireup;

/**
 * The wire-up as the control link sees it: with keys of its own, so that a job may have another link of the same kind
 * beside it, and this one again when the rank attaches again. Fences are the business of who has opened the verbs link.
 */
final class ControlWireup implements Wireup {
    // weak keys: who forgets its wire-up will not attach again
    private static final Map<Wireup, Integer> ROUNDS = new WeakHashMap<>();

    private final Wireup wireup;
    private final String prefix;

    private ControlWireup(Wireup wireup, int round) {
        this.wireup = wireup;
        this.prefix = "galerna.verbs." + round + ".";
    }

    /** That of the next attachment of this rank. */
    static ControlWireup next(Wireup wireup) {
        synchronized (ROUNDS) {
            return new ControlWireup(wireup, ROUNDS.merge(wireup, 1, Integer::sum) - 1);
        }
    }

    @Override
    public String job() {
        return wireup.job();
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
    public void close() {
        // the wire-up is not this link's to close
    }
}
