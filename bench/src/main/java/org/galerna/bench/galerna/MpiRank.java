package org.galerna.bench.galerna;

import java.io.IOException;
import java.nio.file.Path;
import mpi.MPI;
import org.galerna.bench.suite.ContenderServer;

/** An MPI program that answers to the suite's driver: {@code MpiRank <threads per rank> <folder of the pipes>}. */
public final class MpiRank {
    private MpiRank() {}

    /** Runs one rank. */
    public static void main(String[] arguments) throws IOException {
        MPI.Init(arguments);
        ContenderServer.serve(
                Path.of(arguments[1]),
                MPI.COMM_WORLD.Rank(),
                new MpiBenchmarks(new MpiMessenger(0), Integer.parseInt(arguments[0])));
        MPI.Finalize();
    }
}
