package org.galerna.link.process;

import org.galerna.memory.AsymmetricFence;
import org.galerna.nativeaccess.memory.Membarrier;

/** The cheapest {@link AsymmetricFence} between the threads of this process that the system offers. */
public final class ProcessFence {
    private static final AsymmetricFence INSTANCE = new AsymmetricFence(
            Membarrier.instance().<Runnable>map(barrier -> barrier::run).orElse(null));

    private ProcessFence() {}

    /** The fence. */
    public static AsymmetricFence instance() {
        return INSTANCE;
    }
}
