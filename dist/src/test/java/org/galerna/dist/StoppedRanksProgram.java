package org.galerna.dist;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Ranks that talk in many ways, round after round, until a file is there. Each says which process it is in, and each in which
 * round it is. The first argument is the file.
 */
public final class StoppedRanksProgram {
    private static final int LARGE = 1 << 20;

    private StoppedRanksProgram() {}

    /** Runs a rank. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.Rank();
        int size = world.Size();
        System.out.println(
                "rank " + rank + " is process " + ProcessHandle.current().pid() + ".");
        boolean[] over = new boolean[1];
        int round = 0;
        while (!over[0]) {
            int root = round % size;
            exchange(world, (rank + 1) % size, (rank + size - 1) % size, round);
            int[] sum = new int[1];
            world.Reduce(new int[] {rank + round}, 0, sum, 0, 1, MPI.INT, MPI.SUM, root);
            if (rank == root) {
                check(sum[0], size * round + size * (size - 1) / 2);
            }
            world.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.MAX);
            check(sum[0], size - 1);
            if (round % 20 == 0) {
                System.out.println("rank " + rank + " round " + round + ".");
            }
            over[0] = rank == 0 && Files.exists(Path.of(arguments[0]));
            world.Bcast(over, 0, 1, MPI.BOOLEAN, 0);
            round++;
        }
        MPI.Finalize();
        System.out.println("rank " + rank + " is done.");
    }

    private static void exchange(Intracomm world, int next, int before, int round) {
        byte[] out = new byte[round % 3 == 0 ? LARGE : 1 + round % 5000];
        Arrays.fill(out, (byte) round);
        byte[] in = new byte[out.length];
        world.Sendrecv(out, 0, out.length, MPI.BYTE, next, 1, in, 0, in.length, MPI.BYTE, before, 1);
        check(Arrays.mismatch(out, in), -1);
    }

    private static void check(int found, int expected) {
        if (found != expected) {
            throw new AssertionError(found + " and not " + expected);
        }
    }
}
