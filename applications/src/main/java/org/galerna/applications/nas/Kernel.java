package org.galerna.applications.nas;

import mpi.Intracomm;

/** A benchmark that can be run on the ranks of a communicator. */
interface Kernel {
    /**
     * Says why these ranks cannot run it.
     *
     * @throws NasException if they cannot
     */
    void check(ProblemClass size, int ranks);

    /**
     * Runs it; every rank must call.
     *
     * @param threads of each rank
     * @param warmUpSeconds least time of what is done before and not timed
     * @return what has come out; the same on all ranks but for times
     */
    KernelResult run(Intracomm ranks, ProblemClass size, int threads, double warmUpSeconds);
}
