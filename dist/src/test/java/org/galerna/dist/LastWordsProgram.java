package org.galerna.dist;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import mpi.MPI;

/**
 * Ranks that send, receive and call {@code Finalize} in shutdown hooks. Arguments: whether they call {@code System.exit}, or
 * return from main.
 */
public final class LastWordsProgram {
    private static final int TAG = 7;
    private static final int HOOKS = 3;

    private static final CountDownLatch TALKING = new CountDownLatch(HOOKS);

    private LastWordsProgram() {}

    public static void main(String[] arguments) {
        String[] own = MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        MPI.COMM_WORLD.Barrier();
        for (int number = 0; number < HOOKS; number++) {
            int tag = TAG + number;
            addHook(() -> talk(rank, tag));
        }
        addHook(() -> {
            TALKING.await();
            MPI.Finalize();
            System.out.println("rank " + rank + " is through");
        });
        if (own[0].equals("exit")) {
            System.exit(0);
        }
    }

    private interface Last {
        void words() throws InterruptedException;
    }

    private static void addHook(Last last) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                last.words();
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        }));
    }

    private static void talk(int rank, int tag) throws InterruptedException {
        int[] lengths = {1, 1_000_000};
        Object[] words = {"last words"};
        if (rank == 0) {
            TimeUnit.MILLISECONDS.sleep(200L * (tag - TAG));
            for (int length : lengths) {
                MPI.COMM_WORLD.Send(new byte[length], 0, length, MPI.BYTE, 1, tag);
            }
            MPI.COMM_WORLD.Send(words, 0, 1, MPI.OBJECT, 1, tag);
        } else {
            for (int length : lengths) {
                MPI.COMM_WORLD.Recv(new byte[length], 0, length, MPI.BYTE, 0, tag);
            }
            words[0] = null;
            MPI.COMM_WORLD.Recv(words, 0, 1, MPI.OBJECT, 0, tag);
            System.out.println(words[0] + " " + (tag - TAG));
        }
        TALKING.countDown();
    }
}
