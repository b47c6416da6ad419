package org.galerna.programs;

import java.util.Random;
import mpi.Datatype;
import mpi.MPI;
import mpi.Request;

/** Random messages between all ranks, by all kinds of calls; each rank knows all of them from the seed. */
public final class RandomTrafficProgram {
    private static final int ROUNDS = 200;
    private static final int MOST_BYTES = 3000;
    private static final int LARGE = 200_000;

    private RandomTrafficProgram() {}

    /** The messages that a rank sends to each other, and their bytes. */
    public static long[][][] expected(long seed, int ranks) {
        long[][][] sent = new long[2][ranks][ranks];
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Message message = Message.next(random, ranks);
            sent[0][message.from][message.to]++;
            sent[1][message.from][message.to] += message.bytes;
        }
        return sent;
    }

    /** A message of the program. */
    private record Message(int from, int to, int bytes, int tag, int way, boolean wild) {
        static Message next(Random random, int ranks) {
            int from = random.nextInt(ranks);
            int to = (from + 1 + random.nextInt(ranks - 1)) % ranks;
            int bytes = random.nextInt(8) == 0 ? LARGE + random.nextInt(LARGE) : random.nextInt(MOST_BYTES);
            return new Message(from, to, bytes, random.nextInt(3), random.nextInt(5), random.nextBoolean());
        }
    }

    /** Sends and receives; the argument is the seed. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        Random random = new Random(Long.parseLong(arguments[0]));
        int rank = MPI.COMM_WORLD.Rank();
        int ranks = MPI.COMM_WORLD.Size();
        byte[] buffer = new byte[2 * LARGE];
        Datatype bytes = MPI.BYTE;
        for (int round = 0; round < ROUNDS; round++) {
            Message message = Message.next(random, ranks);
            if (message.from == rank) {
                send(message, buffer, bytes);
            } else if (message.to == rank) {
                receive(message, buffer, bytes);
            }
            if (round % 50 == 0) {
                MPI.COMM_WORLD.Barrier();
            }
        }
        MPI.Finalize();
    }

    private static void send(Message message, byte[] buffer, Datatype bytes) {
        switch (message.way) {
            case 0 -> MPI.COMM_WORLD.Ssend(buffer, 0, message.bytes, bytes, message.to, message.tag);
            case 1 ->
                MPI.COMM_WORLD.Isend(buffer, 0, message.bytes, bytes, message.to, message.tag)
                        .Wait();
            case 2 ->
                Request.Waitall(
                        new Request[] {MPI.COMM_WORLD.Issend(buffer, 0, message.bytes, bytes, message.to, message.tag)
                        });
            default -> MPI.COMM_WORLD.Send(buffer, 0, message.bytes, bytes, message.to, message.tag);
        }
    }

    private static void receive(Message message, byte[] buffer, Datatype bytes) {
        int tag = message.wild ? MPI.ANY_TAG : message.tag;
        switch (message.way) {
            case 0 ->
                MPI.COMM_WORLD.Irecv(buffer, 0, buffer.length, bytes, message.from, tag)
                        .Wait();
            case 1 ->
                Request.Waitany(
                        new Request[] {MPI.COMM_WORLD.Irecv(buffer, 0, buffer.length, bytes, message.from, tag)});
            default -> MPI.COMM_WORLD.Recv(buffer, 0, buffer.length, bytes, message.from, tag);
        }
    }
}
