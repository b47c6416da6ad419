package org.galerna.ranks;

import mpi.Intracomm;

/** What each rank does. */
@FunctionalInterface
public interface RankBody {
    /**
     * Runs as one rank, on a thread of its own.
     *
     * @param world the communicator of all ranks
     * @throws Exception ends the job
     */
    void run(Intracomm world) throws Exception;
}
