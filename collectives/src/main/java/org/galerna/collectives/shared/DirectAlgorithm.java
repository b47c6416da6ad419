package org.galerna.collectives.shared;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Restrictions;

/** An algorithm whose ranks work together on their own arrays, on the common heap. */
public interface DirectAlgorithm extends Algorithm {
    @Override
    default String name() {
        return "direct";
    }

    @Override
    default Restrictions restrictions() {
        return Restrictions.SHARED_HEAP;
    }
}
