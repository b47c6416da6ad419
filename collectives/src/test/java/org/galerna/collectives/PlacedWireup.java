package org.galerna.collectives;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;

/** The wire-up of a job in this JVM whose ranks are said to be on other hosts and heaps than they are. */
record PlacedWireup(Wireup real, Placement placement) implements Wireup {
    private static final String HOST = "galerna.host";

    @Override
    public byte[] get(int rank, String key) {
        return key.equals(HOST)
                ? ("machine network host-" + placement.hostOf(rank) + "\n0-3\nheap-" + placement.heapOf(rank))
                        .getBytes(StandardCharsets.UTF_8)
                : real.get(rank, key);
    }

    @Override
    public String job() {
        return real.job();
    }

    @Override
    public int rank() {
        return real.rank();
    }

    @Override
    public int size() {
        return real.size();
    }

    @Override
    public void put(String key, byte[] value) {
        real.put(key, value);
    }

    @Override
    public void fence() {
        real.fence();
    }

    @Override
    public void abort(int status, String reason) {
        real.abort(status, reason);
    }

    @Override
    public void observe(RankMonitor monitor) {
        real.observe(monitor);
    }

    @Override
    public Optional<String> endOf(int rank) {
        return real.endOf(rank);
    }

    @Override
    public void close() {
        real.close();
    }
}
