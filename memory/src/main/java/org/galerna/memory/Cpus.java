package org.galerna.memory;

import java.util.BitSet;
import org.galerna.nativeaccess.Affinity;

/** The processors that this process may use. */
public final class Cpus {
    private static final int AVAILABLE = Runtime.getRuntime().availableProcessors();

    private Cpus() {}

    /**
     * Number of processors, with the limits of containers and affinity masks taken into account; as many as the thread may
     * use that asks first. So whoever binds a thread to a processor asks before.
     */
    public static int available() {
        return AVAILABLE;
    }

    /**
     * The processors that the calling thread may run on, by their numbers. Where a container may not use as many at a time,
     * the first so many of them.
     */
    public static BitSet ofCaller() {
        int usable = Runtime.getRuntime().availableProcessors();
        BitSet mask = Affinity.instance()
                .map(affinity -> affinity.get(Affinity.CALLER))
                .orElseGet(BitSet::new);
        if (mask.isEmpty()) {
            mask.set(0, usable);
        }
        while (mask.cardinality() > usable) {
            mask.clear(mask.length() - 1);
        }
        return mask;
    }
}
