package org.galerna.applications;

import mpi.Intracomm;
import mpi.MPI;

/** What all programs do around their work. */
public final class Program {
    private Program() {}

    /** The work of a program. */
    @FunctionalInterface
    public interface Work {
        /**
         * Runs on each rank.
         *
         * @param arguments those of the program
         * @return whether the results are right
         * @throws ProgramException on every rank, if the arguments are wrong
         */
        boolean run(Intracomm ranks, String[] arguments);
    }

    /** Initializes, runs, and finalizes. Rank 0 exits with status 2 if the arguments are wrong, and with 1 if the results are. */
    public static void run(String name, String[] arguments, Work work) {
        String[] own = MPI.Init(arguments);
        boolean isRoot = MPI.COMM_WORLD.Rank() == 0;
        int status;
        try {
            status = work.run(MPI.COMM_WORLD, own) ? 0 : 1;
        } catch (ProgramException wrong) {
            // Every rank gets here, so that all of them finalize; one tells.
            if (isRoot) {
                System.err.println(name + ": " + wrong.getMessage());
            }
            status = 2;
        }
        MPI.Finalize();
        if (status != 0 && isRoot) {
            System.exit(status);
        }
    }
}
