package org.galerna.mpj;

import mpi.MPI;

/** A program that does a little of what most programs do, so that the classes that it needs can be kept ready. */
public final class Rehearsal {
    private static final int LARGE = 64 << 10;

    private Rehearsal() {}

    /** Runs on any number of ranks. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        for (int length : new int[] {1, LARGE}) {
            exchange(new double[length], new double[length], rank, size);
        }
        int[] mine = {rank};
        int[] sum = new int[1];
        MPI.COMM_WORLD.Barrier();
        MPI.COMM_WORLD.Bcast(mine, 0, 1, MPI.INT, 0);
        MPI.COMM_WORLD.Allreduce(mine, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        MPI.COMM_WORLD.Gather(mine, 0, 1, MPI.INT, new int[size], 0, 1, MPI.INT, 0);
        MPI.Finalize();
    }

    private static void exchange(double[] out, double[] in, int rank, int size) {
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        MPI.COMM_WORLD.Sendrecv(out, 0, out.length, MPI.DOUBLE, next, 1, in, 0, in.length, MPI.DOUBLE, previous, 1);
    }
}
