package org.galerna.examples;

import mpi.MPI;

/**
 * π as the area under 4 / (1 + x²) from 0 to 1: every rank sums its share of the strips, and one reduction adds the
 * shares. The optional argument is the number of strips.
 */
public final class Pi {
    private static final long DEFAULT_STRIPS = 10_000_000;

    private Pi() {}

    /** Runs one rank. */
    public static void main(String[] arguments) {
        String[] mine = MPI.Init(arguments);
        long strips = mine.length > 0 ? Long.parseLong(mine[0]) : DEFAULT_STRIPS;
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        double start = MPI.Wtime();
        double[] share = {0};
        for (long strip = rank; strip < strips; strip += size) {
            double x = (strip + 0.5) / strips;
            share[0] += 4 / (1 + x * x);
        }
        double[] total = new double[1];
        MPI.COMM_WORLD.Reduce(share, 0, total, 0, 1, MPI.DOUBLE, MPI.SUM, 0);
        if (rank == 0) {
            System.out.printf(
                    "pi = %.12f with %d strips on %d ranks in %.3f s%n",
                    total[0] / strips, strips, size, MPI.Wtime() - start);
        }
        MPI.Finalize();
    }
}
