package org.galerna.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/**
 * Rank 0 cancels sends to all others, which make no call until it has written a file. Argument: that file. What the cancelled
 * sends were is printed, and what the others receive afterwards.
 */
public final class SleepingReceiverProgram {
    private static final int LARGE = 1 << 20;

    private SleepingReceiverProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path over = Path.of(MPI.Init(arguments)[0]);
        int rank = MPI.COMM_WORLD.Rank();
        MPI.COMM_WORLD.Barrier();
        if (rank == 0) {
            for (int to = 1; to < MPI.COMM_WORLD.Size(); to++) {
                cancel(to);
            }
            Files.createFile(over);
        } else {
            while (!Files.exists(over)) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            int[] data = new int[1];
            Status status = MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            System.out.println("received " + data[0] + " with tag " + status.tag + ", then "
                    + MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG));
        }
        MPI.Finalize();
    }

    private static void cancel(int to) {
        byte[] large = new byte[LARGE];
        Object[] objects = {"x".repeat(20_000)};
        Prequest persistent = MPI.COMM_WORLD.Ssend_init(large, 0, LARGE, MPI.BYTE, to, 1);
        persistent.Start();
        Request[] requests = {
            MPI.COMM_WORLD.Isend(large, 0, LARGE, MPI.BYTE, to, 1),
            MPI.COMM_WORLD.Issend(large, 0, 1, MPI.BYTE, to, 1),
            MPI.COMM_WORLD.Isend(objects, 0, 1, MPI.OBJECT, to, 1),
            persistent
        };
        int cancelled = 0;
        for (Request each : requests) {
            each.Cancel();
            cancelled += each.Wait().Test_cancelled() ? 1 : 0;
        }
        System.out.println("cancelled " + cancelled + " of " + requests.length);
        MPI.COMM_WORLD.Send(new int[] {5}, 0, 1, MPI.INT, to, 2);
    }
}
