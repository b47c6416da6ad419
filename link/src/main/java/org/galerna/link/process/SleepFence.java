package org.galerna.link.process;

import org.galerna.link.Wireup;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Cpus;

/**
 * The {@link AsymmetricFence} between ranks that go to sleep and those that wake them.
 *
 * <p>Where each rank has a processor it hardly ever sleeps, and a message costs least with a light side that is free
 * ({@link ProcessFence}). Where many ranks share a processor each of them sleeps for most of its messages. Then the heavy side would
 * interrupt the other processors all the time, which takes 5 to 10 µs in a virtual machine, and both sides are full
 * fences.
 */
public final class SleepFence {
    /** With more ranks than this for each processor, both sides are full fences. */
    private static final int CROWD = 4;

    private static final int MACHINE = Cpus.ofMachine();

    private static final AsymmetricFence FULL = new AsymmetricFence(null);

    private SleepFence() {}

    /** The fence of the ranks of a job that are threads of this process; the same for all of them. */
    public static AsymmetricFence of(Wireup wireup) {
        return isFull(wireup) ? FULL : ProcessFence.instance();
    }

    /**
     * Whether the ranks of a job use full fences on both sides: the job is on this host alone, and its ranks crowd the processors of the machine. A
     * process that is bound to some of them does not know how many the job has.
     */
    public static boolean isFull(Wireup wireup) {
        return wireup.isOneHost() && isCrowded(wireup.size(), MACHINE);
    }

    static boolean isCrowded(int ranks, int processors) {
        return ranks > CROWD * processors;
    }
}
