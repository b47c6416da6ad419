package org.galerna.examples;

import mpi.MPI;

/** Every rank says who it is. Run it with {@code galerna run -n 4 -cp … org.galerna.examples.Hello}. */
public final class Hello {
    private Hello() {}

    /** Runs one rank. */
    public static void main(String[] arguments) {
        MPI.Init(arguments); // @start region="hello"
        System.out.printf(
                "Hello from rank %d of %d on %s%n",
                MPI.COMM_WORLD.Rank(), MPI.COMM_WORLD.Size(), MPI.Get_processor_name());
        MPI.Finalize();
        // @end
    }
}
