package example;

import mpi.MPI;

/** A program that is on the class path of these tests. */
public final class ProgramOfTheLauncher {
    private static int calls;

    private ProgramOfTheLauncher() {}

    /** Runs as one rank of a job. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        calls++;
        System.out.println("calls " + calls);
        MPI.Finalize();
    }
}
