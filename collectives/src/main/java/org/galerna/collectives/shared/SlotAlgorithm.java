package org.galerna.collectives.shared;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.team.HeapMember;

/** An algorithm whose ranks show copies of their values in slots on the common heap. */
public interface SlotAlgorithm extends Algorithm {
    @Override
    default String name() {
        return "slots";
    }

    @Override
    default Restrictions restrictions() {
        return Restrictions.SHARED_HEAP;
    }

    @Override
    default long largest(int ranks) {
        return HeapMember.longestValue();
    }
}
