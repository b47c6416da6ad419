package org.galerna.memory;

import org.galerna.nativeaccess.memory.Membarrier;
import org.junit.jupiter.api.Assumptions;

/** The two kinds of {@link AsymmetricFence} there are. */
enum FenceMode {
    PROCESS_BARRIER {
        @Override
        AsymmetricFence fence() {
            Assumptions.assumeTrue(Membarrier.instance().isPresent(), "this system has no membarrier");
            return new AsymmetricFence(Membarrier.instance().orElseThrow()::run);
        }
    },
    FULL_FENCES {
        @Override
        AsymmetricFence fence() {
            return new AsymmetricFence(null);
        }
    };

    abstract AsymmetricFence fence();
}
