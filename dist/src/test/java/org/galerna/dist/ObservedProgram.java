package org.galerna.dist;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import mpi.MPI;

/**
 * Ranks that send each other messages by a seed, which is the first argument. Then each says which process it is in, and waits
 * for the next one for good.
 */
public final class ObservedProgram {
    private static final int MESSAGES = 300;
    private static final int LONGEST = 200_000;
    private static final int NEVER = 99;

    private ObservedProgram() {}

    /** A message. */
    record Planned(int source, int destination, int bytes) {}

    /** What so many ranks send by that seed, in this order. */
    static List<Planned> plan(long seed, int ranks) {
        Random random = new Random(seed);
        List<Planned> plan = new ArrayList<>();
        for (int number = 0; number < MESSAGES; number++) {
            int bytes = random.nextInt(10) == 0 ? random.nextInt(LONGEST) : random.nextInt(100);
            plan.add(new Planned(random.nextInt(ranks), random.nextInt(ranks), bytes));
        }
        return plan;
    }

    /** Runs a rank. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        byte[] out = new byte[LONGEST];
        byte[] in = new byte[LONGEST];
        for (Planned each : plan(Long.parseLong(arguments[0]), size)) {
            if (each.source == rank && each.destination == rank) {
                MPI.COMM_WORLD.Sendrecv(out, 0, each.bytes, MPI.BYTE, rank, 1, in, 0, LONGEST, MPI.BYTE, rank, 1);
            } else if (each.source == rank) {
                MPI.COMM_WORLD.Send(out, 0, each.bytes, MPI.BYTE, each.destination, 1);
            } else if (each.destination == rank) {
                MPI.COMM_WORLD.Recv(in, 0, LONGEST, MPI.BYTE, each.source, 1);
            }
        }
        System.out.println(
                "rank " + rank + " is process " + ProcessHandle.current().pid() + ".");
        awaitNext(rank, size);
    }

    private static void awaitNext(int rank, int size) {
        MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, (rank + 1) % size, NEVER);
    }
}
