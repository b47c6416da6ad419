package org.galerna.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

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
                case "threads" -> threads(rank, Integer.parseInt(arguments[1]));
                case "handed" -> handed(rank);
                case "cancelled" -> cancelled(rank, round);
                case "part" -> part(rank, round);
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

    /** Two threads of each rank exchange at the same time; their tags may be the same. */
    private static void threads(int rank, int tags) {
        List<Thread> threads = new ArrayList<>();
        CyclicBarrier together = new CyclicBarrier(2);
        for (int thread = 0; thread < 2; thread++) {
            int tag = thread % tags;
            threads.add(Thread.ofPlatform().start(() -> {
                byte[] in = new byte[16];
                begin(together);
                for (int i = 0; i < 10; i++) {
                    MPI.COMM_WORLD.Sendrecv(SHORT, 0, 16, MPI.BYTE, 1 - rank, tag, in, 0, 16, MPI.BYTE, 1 - rank, tag);
                }
            }));
        }
        threads.forEach(WaitingProgram::join);
    }

    /** A thread receives the first message, and hands on to another one, which receives the second. */
    private static void handed(int rank) {
        if (rank == 0) {
            MPI.COMM_WORLD.Send(SHORT, 0, 16, MPI.BYTE, 1, 1);
            MPI.COMM_WORLD.Send(SHORT, 0, 16, MPI.BYTE, 1, 1);
        } else if (rank == 1) {
            MPI.COMM_WORLD.Recv(new byte[16], 0, 16, MPI.BYTE, 0, 1);
            join(Thread.ofPlatform().start(() -> MPI.COMM_WORLD.Recv(new byte[16], 0, 16, MPI.BYTE, 0, 1)));
        }
    }

    private static void begin(CyclicBarrier together) {
        try {
            together.await();
        } catch (InterruptedException | BrokenBarrierException ended) {
            throw new IllegalStateException(ended);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    /** A receive is cancelled before the first message comes; the same tag has messages after it. */
    private static void cancelled(int rank, int round) {
        if (rank == 1 && round == 0) {
            Request request = MPI.COMM_WORLD.Irecv(new byte[16], 0, 16, MPI.BYTE, 0, 1);
            request.Cancel();
            request.Wait();
        }
        MPI.COMM_WORLD.Barrier();
        lateSender(rank);
    }

    /** The second half is recorded. */
    private static void part(int rank, int round) {
        if (round == 0) {
            MPI.Pcontrol(0);
        } else if (round == ROUNDS / 2) {
            MPI.Pcontrol(1);
        }
        lateSender(rank);
    }

    private static void work(int millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
