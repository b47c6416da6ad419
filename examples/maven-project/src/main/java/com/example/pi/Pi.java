package com.example.pi;

import mpi.Intracomm;
import mpi.MPI;

/** Approximates pi: each rank adds up its share of a sum. */
public final class Pi {
    private Pi() {}

    public static void main(String[] arguments) {
        String[] own = MPI.Init(arguments);
        double pi = approximate(MPI.COMM_WORLD, own.length > 0 ? Integer.parseInt(own[0]) : 1_000_000);
        if (MPI.COMM_WORLD.Rank() == 0) {
            System.out.printf("pi = %.6f%n", pi);
        }
        MPI.Finalize();
    }

    static double approximate(Intracomm world, int steps) {
        double[] sum = new double[1];
        for (int step = world.Rank(); step < steps; step += world.Size()) {
            double x = (step + 0.5) / steps;
            sum[0] += 4 / (1 + x * x) / steps;
        }
        world.Allreduce(MPI.IN_PLACE, 0, sum, 0, 1, MPI.DOUBLE, MPI.SUM);
        return sum[0];
    }
}
