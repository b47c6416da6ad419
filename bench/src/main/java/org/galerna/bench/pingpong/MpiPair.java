package org.galerna.bench.pingpong;

import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;

/** Ranks 0 and 1 with blocking {@code Send} and {@code Recv} of {@code byte[]}. Made on rank 0; rank 1 serves. */
final class MpiPair implements Pair {
    private static final int OTHER = 1;
    private static final int ORDER_TAG = 1;
    private static final int READY_TAG = 2;
    private static final int DATA_TAG = 3;

    private final Intracomm world = MPI.COMM_WORLD;
    private final byte[] buffer;
    private int length;

    MpiPair(int longest) {
        buffer = new byte[longest];
        new Random(20260101).nextBytes(buffer);
    }

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public void prepare(int length, int roundTrips) {
        this.length = length;
        world.Send(new int[] {length, roundTrips}, 0, 2, MPI.INT, OTHER, ORDER_TAG);
        world.Recv(new byte[1], 0, 1, MPI.BYTE, OTHER, READY_TAG);
    }

    @Override
    public void roundTrip() {
        world.Send(buffer, 0, length, MPI.BYTE, OTHER, DATA_TAG);
        world.Recv(buffer, 0, length, MPI.BYTE, OTHER, DATA_TAG);
    }

    @Override
    public void close() {
        world.Send(new int[] {0, -1}, 0, 2, MPI.INT, OTHER, ORDER_TAG);
    }

    /** Answers on rank 1 until the pair is closed. */
    static void serve(int longest) {
        Intracomm world = MPI.COMM_WORLD;
        byte[] buffer = new byte[longest];
        int[] order = new int[2];
        while (true) {
            world.Recv(order, 0, 2, MPI.INT, 0, ORDER_TAG);
            if (order[1] < 0) {
                return;
            }
            world.Send(new byte[1], 0, 1, MPI.BYTE, 0, READY_TAG);
            for (int each = 0; each < order[1]; each++) {
                answer(world, buffer, order[0]);
            }
        }
    }

    private static void answer(Intracomm world, byte[] buffer, int length) {
        world.Recv(buffer, 0, length, MPI.BYTE, 0, DATA_TAG);
        world.Send(buffer, 0, length, MPI.BYTE, 0, DATA_TAG);
    }
}
