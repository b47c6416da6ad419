package org.galerna.microbench;

import java.lang.invoke.VarHandle;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Doorbell;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A store, a fence, a load. Judges the asymmetric fence, which moves its cost from the side that sends to the side that
 * goes to sleep, and the doorbell, which rests on it. A full fence costs most after a store that misses the cache, for which
 * it waits.
 */
@State(Scope.Thread)
public class FenceBenchmark extends Microbenchmark {
    private final AsymmetricFence fence = ProcessFence.instance();
    private final AsymmetricFence withoutSystem = new AsymmetricFence(null);
    private final Doorbell doorbell = new Doorbell(fence);
    private final Doorbell fencedDoorbell = new Doorbell(withoutSystem);
    private long loaded;

    /** The store and the load alone. */
    @Benchmark
    public long none(Stores stores) {
        stores.store();
        return loaded;
    }

    /** The side that runs all the time. */
    @Benchmark
    public long light(Stores stores) {
        stores.store();
        fence.light();
        return loaded;
    }

    /** The same side where the system has no barrier for all threads. */
    @Benchmark
    public long lightWithoutMembarrier(Stores stores) {
        stores.store();
        withoutSystem.light();
        return loaded;
    }

    /** What both sides would need without an asymmetric fence. */
    @Benchmark
    public long full(Stores stores) {
        stores.store();
        VarHandle.fullFence();
        return loaded;
    }

    /** The side that goes to sleep. */
    @Benchmark
    public long heavy(Stores stores) {
        stores.store();
        fence.heavy();
        return loaded;
    }

    /** A bell at which nobody sleeps. */
    @Benchmark
    public void ring(Stores stores) {
        stores.store();
        doorbell.ring();
    }

    /** The same with a full fence. */
    @Benchmark
    public void ringWithoutMembarrier(Stores stores) {
        stores.store();
        fencedDoorbell.ring();
    }
}
