package org.galerna.harness;

import java.io.Serializable;

/**
 * What a rank of a test does. A lambda of this type is looked up again in the class loader of each rank, so that it sees
 * the rank's copy of {@code mpi}; it may capture numbers and strings, and nothing else.
 */
@FunctionalInterface
public interface RankBody extends Serializable {
    /** Runs as one rank. */
    void run(int rank, int size) throws Exception;
}
