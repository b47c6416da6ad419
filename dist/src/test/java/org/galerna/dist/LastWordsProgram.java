package org.galerna.dist;

import java.util.concurrent.TimeUnit;
import mpi.MPI;

/** Ranks whose shutdown hooks send and receive. Arguments: whether they call {@code System.exit}, or return from main. */
public final class LastWordsProgram {
    private static final int TAG = 7;

    private LastWordsProgram() {}

    public static void main(String[] arguments) {
        String[] own = MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        MPI.COMM_WORLD.Barrier();
        for (int number = 0; number < 3; number++) {
            int tag = TAG + number;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> talk(rank, tag)));
        }
        if (own[0].equals("exit")) {
            System.exit(0);
        }
    }

    private static void talk(int rank, int tag) {
        try {
            if (rank == 0) {
                TimeUnit.MILLISECONDS.sleep(200L * (tag - TAG));
                for (int length : new int[] {1, 1_000_000}) {
                    MPI.COMM_WORLD.Send(new byte[length], 0, length, MPI.BYTE, 1, tag);
                }
                MPI.COMM_WORLD.Send(new Object[] {"last words"}, 0, 1, MPI.OBJECT, 1, tag);
            } else {
                for (int length : new int[] {1, 1_000_000}) {
                    MPI.COMM_WORLD.Recv(new byte[length], 0, length, MPI.BYTE, 0, tag);
                }
                Object[] words = new Object[1];
                MPI.COMM_WORLD.Recv(words, 0, 1, MPI.OBJECT, 0, tag);
                System.out.println(words[0] + " " + (tag - TAG));
            }
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
