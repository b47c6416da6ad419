package org.galerna.ranks;

import mpi.Intracomm;
import org.jspecify.annotations.Nullable;

/**
 * What each rank does, with a result.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface RankFunction<T extends @Nullable Object> {
    /**
     * Runs as one rank, on a thread of its own.
     *
     * @param world the communicator of all ranks
     * @return the result of this rank
     * @throws Exception ends the job
     */
    T call(Intracomm world) throws Exception;
}
