package org.galerna.examples;

import mpi.Intracomm;
import mpi.MPI;
import mpi.Status;

/** A number goes round all ranks and grows by the rank's number at each. */
public final class Ring {
    private static final int TAG = 1;

    private Ring() {}

    /** Runs one rank. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.Rank();
        int size = world.Size();
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        int[] sum = {0};
        if (rank == 0) {
            world.Send(sum, 0, 1, MPI.INT, next, TAG);
            Status status = world.Recv(sum, 0, 1, MPI.INT, previous, TAG);
            System.out.println("The number came back from rank " + status.source + " as " + sum[0]);
        } else {
            world.Recv(sum, 0, 1, MPI.INT, previous, TAG);
            sum[0] += rank;
            world.Send(sum, 0, 1, MPI.INT, next, TAG);
        }
        MPI.Finalize();
    }
}
