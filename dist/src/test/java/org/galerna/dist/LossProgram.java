package org.galerna.dist;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * What the ranks of {@link LossTest} run: all make the call that the first argument names a few times, then rank 0 stops
 * calling, and the others go on until that fails.
 */
public final class LossProgram {
    private static final int ROUNDS = 3;
    private static final int LARGE = 1 << 20;
    private static final int TAG = 5;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.Rank();
    private final int size = world.Size();
    private final byte[] bytes = new byte[LARGE];
    private final long[] send = new long[size * 100];
    private final long[] receive = new long[size * 100];
    private final int[] counts = new int[size];
    private final int[] displacements = new int[size];

    private LossProgram() {
        Arrays.fill(counts, 100);
        Arrays.setAll(displacements, number -> number * 100);
    }

    /** Says {@code ready}, and later how the call has failed. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        LossProgram program = new LossProgram();
        for (int round = 0; round < ROUNDS; round++) {
            program.call(arguments[0]);
        }
        System.out.println("ready");
        while (program.rank == 0) {
            LockSupport.park();
        }
        try {
            while (true) {
                program.call(arguments[0]);
            }
        } catch (MPIException lost) {
            System.out.println("failed: " + lost.getMessage());
            System.exit(3);
        }
    }

    private void call(String name) {
        switch (name) {
            case "receive", "probe", "wildcard", "eager", "rendezvous" -> talk(name);
            case "barrier" -> world.Barrier();
            case "bcast" -> world.Bcast(send, 0, 100, MPI.LONG, 0);
            case "gather" -> world.Gather(send, 0, 100, MPI.LONG, receive, 0, 100, MPI.LONG, 0);
            case "gatherv" -> world.Gatherv(send, 0, 100, MPI.LONG, receive, 0, counts, displacements, MPI.LONG, 0);
            case "scatter" -> world.Scatter(send, 0, 100, MPI.LONG, receive, 0, 100, MPI.LONG, 0);
            case "scatterv" -> world.Scatterv(send, 0, counts, displacements, MPI.LONG, receive, 0, 100, MPI.LONG, 0);
            case "allgather" -> world.Allgather(send, 0, 100, MPI.LONG, receive, 0, 100, MPI.LONG);
            case "allgatherv" -> world.Allgatherv(send, 0, 100, MPI.LONG, receive, 0, counts, displacements, MPI.LONG);
            case "alltoall" -> world.Alltoall(send, 0, 100, MPI.LONG, receive, 0, 100, MPI.LONG);
            case "alltoallv" ->
                world.Alltoallv(send, 0, counts, displacements, MPI.LONG, receive, 0, counts, displacements, MPI.LONG);
            case "reduce" -> world.Reduce(send, 0, receive, 0, 100, MPI.LONG, MPI.SUM, 0);
            case "allreduce" -> world.Allreduce(send, 0, receive, 0, 100, MPI.LONG, MPI.SUM);
            case "reduce_scatter" -> world.Reduce_scatter(send, 0, receive, 0, counts, MPI.LONG, MPI.SUM);
            case "scan" -> world.Scan(send, 0, receive, 0, 100, MPI.LONG, MPI.SUM);
            default -> throw new IllegalArgumentException(name);
        }
    }

    /** A message between rank 0 and each other one, in the direction that makes the others need rank 0. */
    private void talk(String name) {
        boolean fromFirst = !name.equals("eager") && !name.equals("rendezvous");
        int length = name.equals("rendezvous") ? LARGE : 8;
        if (rank == 0) {
            for (int other = 1; other < size; other++) {
                if (fromFirst) {
                    world.Send(bytes, 0, length, MPI.BYTE, other, TAG);
                } else {
                    world.Recv(bytes, 0, length, MPI.BYTE, other, TAG);
                }
            }
        } else if (fromFirst) {
            if (name.equals("probe")) {
                world.Probe(0, TAG);
            }
            world.Recv(bytes, 0, length, MPI.BYTE, name.equals("wildcard") ? MPI.ANY_SOURCE : 0, TAG);
        } else {
            world.Send(bytes, 0, length, MPI.BYTE, 0, TAG);
        }
    }
}
