package org.galerna.bench.pingpong;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import mpi.Intracomm;
import mpi.MPI;

/** Bytes that a rank's thread allocates for a blocking message, in the steady state. */
final class Allocation {
    private static final int TAG = 6;
    private static final int EXCHANGES = 50_000;

    /** Until the compiler has found that the status of a receive need not be an object, it is one. */
    private static final int WARM_UP_ROUNDS = 5;

    private Allocation() {}

    /**
     * Runs on ranks 0 and 1.
     *
     * @return bytes allocated for each message sent or received, on this rank
     */
    static double perMessage(int length) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] buffer = new byte[length];
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            exchange(buffer);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        exchange(buffer);
        return (threads.getCurrentThreadAllocatedBytes() - before) / (2.0 * EXCHANGES);
    }

    private static void exchange(byte[] buffer) {
        Intracomm world = MPI.COMM_WORLD;
        int other = 1 - world.Rank();
        for (int each = 0; each < EXCHANGES; each++) {
            if (other == 1) {
                world.Send(buffer, 0, buffer.length, MPI.BYTE, other, TAG);
                world.Recv(buffer, 0, buffer.length, MPI.BYTE, other, TAG);
            } else {
                world.Recv(buffer, 0, buffer.length, MPI.BYTE, other, TAG);
                world.Send(buffer, 0, buffer.length, MPI.BYTE, other, TAG);
            }
        }
    }
}
