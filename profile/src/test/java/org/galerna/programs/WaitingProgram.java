package org.galerna.programs;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mpi.MPI;
import mpi.MPIException;

/** Ranks that come late, each in another way. */
public final class WaitingProgram {
    private static final int ROUNDS = 20;
    private static final byte[] SHORT = new byte[16];

    private WaitingProgram() {}

    /** Runs the part that the argument names. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        for (int round = 0; round < ROUNDS; round++) {
            switch (arguments[0]) {
                case "sender" -> lateSender(rank);
                case "receiver" -> lateReceiver(rank);
                case "uneven" -> uneven(rank);
                case "master" -> master(rank);
                case "thrown" -> thrown(rank);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
        MPI.Finalize();
    }

    private static void lateSender(int rank) {
        if (rank == 0) {
            work(5);
            MPI.COMM_WORLD.Send(SHORT, 0, 16, MPI.BYTE, 1, 1);
        } else if (rank == 1) {
            MPI.COMM_WORLD.Recv(new byte[16], 0, 16, MPI.BYTE, 0, 1);
        }
    }

    private static void lateReceiver(int rank) {
        if (rank == 0) {
            MPI.COMM_WORLD.Ssend(SHORT, 0, 16, MPI.BYTE, 1, 1);
        } else if (rank == 1) {
            work(5);
            MPI.COMM_WORLD.Recv(new byte[16], 0, 16, MPI.BYTE, 0, 1);
        }
    }

    private static void uneven(int rank) {
        work(rank == 2 ? 10 : 2);
        MPI.COMM_WORLD.Barrier();
    }

    /** Rank 0 hands out work, and takes its time. */
    private static void master(int rank) {
        int[] job = new int[1];
        if (rank != 0) {
            MPI.COMM_WORLD.Send(job, 0, 1, MPI.INT, 0, 2);
            MPI.COMM_WORLD.Recv(job, 0, 1, MPI.INT, 0, 1);
            return;
        }
        for (int worker = 1; worker < MPI.COMM_WORLD.Size(); worker++) {
            int source = MPI.COMM_WORLD.Recv(job, 0, 1, MPI.INT, MPI.ANY_SOURCE, 2).source;
            work(2);
            MPI.COMM_WORLD.Send(job, 0, 1, MPI.INT, source, 1);
        }
    }

    private static void thrown(int rank) {
        try {
            MPI.COMM_WORLD.Send(SHORT, 0, 16, MPI.BYTE, 99, 1);
            throw new AssertionError("rank " + rank + " has sent to nobody");
        } catch (MPIException noRank) {
            work(1);
        }
    }

    private static void work(int millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
