package org.galerna.dist;

import mpi.MPI;

/** A program that sends nothing. */
final class InitAndFinalizeProgram {
    private InitAndFinalizeProgram() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        MPI.Finalize();
    }
}
