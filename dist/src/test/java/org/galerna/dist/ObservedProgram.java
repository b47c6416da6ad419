package org.galerna.dist;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import mpi.MPI;

/**
 * Ranks that send each other messages by a seed, which is the first argument, in as many threads of each rank as the second says. Then
 * each rank says which process it is in, and waits for the next one for good.
 */
public final class ObservedProgram {
    private static final int MESSAGES = 300;
    private static final int LONGEST = 200_000;
    private static final int NEVER = 99;

    private ObservedProgram() {}

    /** A message, and the thread that it is sent and received by; its tag is that of the thread. */
    record Planned(int source, int destination, int bytes, int thread) {}

    /** What so many ranks send by that seed; each thread in this order. */
    static List<Planned> plan(long seed, int ranks, int threads) {
        Random random = new Random(seed);
        List<Planned> plan = new ArrayList<>();
        for (int number = 0; number < MESSAGES; number++) {
            int bytes = random.nextInt(10) == 0 ? random.nextInt(LONGEST) : random.nextInt(100);
            plan.add(new Planned(random.nextInt(ranks), random.nextInt(ranks), bytes, random.nextInt(threads)));
        }
        return plan;
    }

    /** Runs a rank. */
    public static void main(String[] arguments) throws InterruptedException {
        MPI.InitThread(arguments, MPI.THREAD_MULTIPLE);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int threads = Integer.parseInt(arguments[1]);
        List<Planned> plan = plan(Long.parseLong(arguments[0]), size, threads);
        List<Thread> others = new ArrayList<>();
        for (int thread = 1; thread < threads; thread++) {
            int number = thread;
            others.add(Thread.ofPlatform().start(() -> exchange(plan, rank, number)));
        }
        exchange(plan, rank, 0);
        for (Thread other : others) {
            other.join();
        }
        System.out.println(
                "rank " + rank + " is process " + ProcessHandle.current().pid() + ".");
        awaitNext(rank, size);
    }

    private static void exchange(List<Planned> plan, int rank, int thread) {
        byte[] out = new byte[LONGEST];
        byte[] in = new byte[LONGEST];
        for (Planned each : plan) {
            if (each.thread != thread) {
                continue;
            }
            if (each.source == rank && each.destination == rank) {
                MPI.COMM_WORLD.Sendrecv(
                        out, 0, each.bytes, MPI.BYTE, rank, thread, in, 0, LONGEST, MPI.BYTE, rank, thread);
            } else if (each.source == rank) {
                MPI.COMM_WORLD.Send(out, 0, each.bytes, MPI.BYTE, each.destination, thread);
            } else if (each.destination == rank) {
                MPI.COMM_WORLD.Recv(in, 0, LONGEST, MPI.BYTE, each.source, thread);
            }
        }
    }

    private static void awaitNext(int rank, int size) {
        MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, (rank + 1) % size, NEVER);
    }
}
