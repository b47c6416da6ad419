package org.galerna.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.galerna.device.ErrorClass;

/**
 * Rank 0 cancels sends to rank 1, which makes no call and kills itself. Argument: whether rank 0 waits for the requests before it
 * notices the death. Prints how many of them have come to an end.
 */
public final class CancelledForDeadProgram {
    private static final int LARGE = 1 << 20;

    private CancelledForDeadProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        boolean atOnce = MPI.Init(arguments)[0].equals("at-once");
        MPI.COMM_WORLD.Barrier();
        if (MPI.COMM_WORLD.Rank() == 1) {
            TimeUnit.MILLISECONDS.sleep(500);
            kill(ProcessHandle.current());
            TimeUnit.DAYS.sleep(1);
        }
        byte[] large = new byte[LARGE];
        Request[] requests = {
            MPI.COMM_WORLD.Isend(large, 0, LARGE, MPI.BYTE, 1, 1),
            MPI.COMM_WORLD.Issend(large, 0, 1, MPI.BYTE, 1, 1),
            MPI.COMM_WORLD.Isend(new Object[] {"x".repeat(20_000)}, 0, 1, MPI.OBJECT, 1, 1)
        };
        for (Request each : requests) {
            each.Cancel();
        }
        if (!atOnce) {
            TimeUnit.SECONDS.sleep(2);
        }
        int ended = 0;
        for (Request each : requests) {
            try {
                each.Wait();
                ended++;
            } catch (MPIException failed) {
                ended += failed.errorClass() == ErrorClass.PROC_FAILED ? 1 : 0;
            }
        }
        System.out.println("ended " + ended + " of " + requests.length);
        MPI.Finalize();
    }

    private static void kill(ProcessHandle self) {
        try {
            new ProcessBuilder("kill", "-KILL", Long.toString(self.pid())).start();
        } catch (IOException noKill) {
            throw new UncheckedIOException(noKill);
        }
    }
}
