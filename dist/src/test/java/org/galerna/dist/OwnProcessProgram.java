package org.galerna.dist;

import mpi.MPI;

/** Ranks that say which process they are in, and then end in the way that the first argument says. */
public final class OwnProcessProgram {
    private OwnProcessProgram() {}

    /** Runs a rank. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        System.out.println("in " + ProcessHandle.current().pid() + ".");
        switch (arguments[0]) {
            case "exit" -> System.exit(7);
            case "circle" -> MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, (rank + 1) % MPI.COMM_WORLD.Size(), 99);
            default -> MPI.Finalize();
        }
    }
}
