package org.galerna.programs;

import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/** Four ranks that exchange in two communicators, in a collective call, and by two threads of each rank. */
public final class TracedProgram {
    /** Of the messages in the halves, of those of threads, and of those that are received later: by tag. */
    private static final int[] BYTES = {24, 48, 96};

    /** How often the ranks exchange. */
    public static final int ROUNDS = 30;

    /** Tag and length of messages between halves. */
    public static final int BETWEEN = 12;

    private TracedProgram() {}

    /** How many tags there are. */
    public static int tags() {
        return BYTES.length;
    }

    /** Bytes of the messages with a tag. */
    public static int bytes(int tag) {
        return BYTES[tag];
    }

    /** Runs it. */
    public static void main(String[] arguments) throws InterruptedException {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        Intracomm half = MPI.COMM_WORLD.Split(rank % 2, -rank);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] in = new byte[BYTES[2]];
            Request later = MPI.COMM_WORLD.Irecv(in, 0, BYTES[2], MPI.BYTE, (rank + size - 1) % size, 2);
            Request sent = MPI.COMM_WORLD.Issend(new byte[BYTES[2]], 0, BYTES[2], MPI.BYTE, (rank + 1) % size, 2);
            int other = 1 - half.Rank();
            byte[] own = new byte[BYTES[0]];
            half.Sendrecv(own, 0, BYTES[0], MPI.BYTE, other, 0, own.clone(), 0, BYTES[0], MPI.BYTE, other, 0);
            later.Wait();
            sent.Wait();
            Thread second = Thread.ofPlatform().start(() -> exchange(rank));
            MPI.COMM_WORLD.Bcast(own, 0, 1, MPI.BYTE, 2);
            second.join();
        }
        collectives(rank, size);
        between(half, rank);
        MPI.Finalize();
    }

    /** One of each kind of sizes. */
    private static void collectives(int rank, int size) {
        byte[] bytes = new byte[64];
        byte[] others = new byte[64];
        int[] counts = {1, 2, 3, 4};
        int[] places = {0, 1, 3, 6};
        int[] ints = new int[16];
        MPI.COMM_WORLD.Barrier();
        MPI.COMM_WORLD.Gather(bytes, 0, 3, MPI.BYTE, rank == 1 ? others : null, 0, 3, MPI.BYTE, 1);
        MPI.COMM_WORLD.Scatterv(bytes, 0, counts, places, MPI.BYTE, others, 0, counts[rank], MPI.BYTE, 3);
        MPI.COMM_WORLD.Alltoall(ints, 0, 2, MPI.INT, new int[2 * size], 0, 2, MPI.INT);
        MPI.COMM_WORLD.Reduce_scatter(ints, 0, new int[4], 0, counts, MPI.INT, MPI.SUM);
        MPI.COMM_WORLD.Allgatherv(bytes, 0, counts[rank], MPI.BYTE, others, 0, counts, places, MPI.BYTE);
        MPI.COMM_WORLD.Iallreduce(ints, 0, new int[5], 0, 5, MPI.INT, MPI.SUM).Wait();
    }

    /** Each rank of one half sends to one of the other half. */
    private static void between(Intracomm half, int rank) {
        Intercomm between = MPI.COMM_WORLD.Create_intercomm(half, 0, rank % 2 == 0 ? 3 : 2, 9);
        byte[] own = new byte[BETWEEN];
        Request in = between.Irecv(own.clone(), 0, BETWEEN, MPI.BYTE, half.Rank(), BETWEEN);
        between.Send(own, 0, BETWEEN, MPI.BYTE, half.Rank(), BETWEEN);
        in.Wait();
    }

    private static void exchange(int rank) {
        byte[] own = new byte[BYTES[1]];
        MPI.COMM_WORLD.Send(own, 0, BYTES[1], MPI.BYTE, rank, 1);
        MPI.COMM_WORLD.Recv(own, 0, BYTES[1], MPI.BYTE, MPI.ANY_SOURCE, 1);
    }
}
