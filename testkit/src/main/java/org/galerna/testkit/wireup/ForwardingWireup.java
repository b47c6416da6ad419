package org.galerna.testkit.wireup;

import java.util.BitSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.galerna.link.Entrance;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;

/**
 * Does what another wire-up does; a subclass changes some of it. It does not say that all ranks are threads of one process, so that they
 * look for each other as those of several do.
 */
public abstract class ForwardingWireup implements Wireup {
    private final Wireup real;

    protected ForwardingWireup(Wireup real) {
        this.real = real;
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
    public byte[] get(int rank, String key) {
        return real.get(rank, key);
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
    public boolean leave(String name, Consumer<BitSet> staying) {
        return real.leave(name, staying);
    }

    @Override
    public void askWhoStays(String name) {
        real.askWhoStays(name);
    }

    @Override
    public Optional<String> nameOf(int rank) {
        return real.nameOf(rank);
    }

    @Override
    public Optional<String> endOf(int rank) {
        return real.endOf(rank);
    }

    @Override
    public Optional<String> device() {
        return real.device();
    }

    @Override
    public Optional<Entrance> entrance() {
        return real.entrance();
    }

    @Override
    public void close() {
        real.close();
    }
}
