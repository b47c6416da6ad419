package org.galerna.dist;

import mpi.MPI;
import mpi.MPIException;

/** All ranks leave at once but the first two, which wait for a message of the last rank and then talk to each other. */
public final class StayingProgram {
    private static final int TAG = 3;

    private StayingProgram() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        MPI.COMM_WORLD.Errhandler_set(MPI.ERRORS_RETURN);
        int rank = MPI.COMM_WORLD.Rank();
        if (rank < 2) {
            byte[] one = new byte[1];
            try {
                MPI.COMM_WORLD.Recv(one, 0, 1, MPI.BYTE, MPI.COMM_WORLD.Size() - 1, TAG);
            } catch (MPIException left) {
                System.out.println(left.getMessage());
            }
            MPI.COMM_WORLD.Sendrecv(one, 0, 1, MPI.BYTE, 1 - rank, TAG, one, 0, 1, MPI.BYTE, 1 - rank, TAG);
            System.out.println("rank " + rank + " has talked");
        }
        MPI.Finalize();
    }
}
