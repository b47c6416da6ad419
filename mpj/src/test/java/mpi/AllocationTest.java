package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

/** Blocking messages of basic types below the eager limit allocate nothing, as the thread allocation counter shows. */
class AllocationTest {
    private static final int ROUNDS = 20_000;

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static void pingPong(byte[] bytes, double[] doubles, int rank, int rounds) {
        int peer = 1 - rank;
        for (int round = 0; round < rounds; round++) {
            if (rank == 0) {
                MPI.COMM_WORLD.Send(bytes, 0, bytes.length, MPI.BYTE, peer, 1);
                MPI.COMM_WORLD.Recv(doubles, 0, doubles.length, MPI.DOUBLE, peer, 1);
            } else {
                Status status = MPI.COMM_WORLD.Recv(bytes, 0, bytes.length, MPI.BYTE, peer, 1);
                if (status.source != peer || status.Get_count(MPI.BYTE) != bytes.length) {
                    throw new AssertionError("wrong status");
                }
                MPI.COMM_WORLD.Send(doubles, 0, doubles.length, MPI.DOUBLE, peer, 1);
            }
        }
    }

    @Test
    void blockingMessagesAllocateNothing() {
        assumeThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
                .as("what counts coverage makes methods too large to be inlined")
                .noneMatch(argument -> argument.contains("jacoco"));
        Ranks.run(2, (rank, size) -> {
            byte[] bytes = new byte[100];
            double[] doubles = new double[100];
            double[] most = {Double.MAX_VALUE};
            // until the code of both ranks is compiled, its escape analysis included
            for (int attempt = 0; attempt < 40 && most[0] >= 1; attempt++) {
                pingPong(bytes, doubles, rank, ROUNDS);
                long before = allocated();
                pingPong(bytes, doubles, rank, ROUNDS);
                double each = (allocated() - before) / (double) ROUNDS;
                MPI.COMM_WORLD.Allreduce(new double[] {each}, 0, most, 0, 1, MPI.DOUBLE, MPI.MAX);
            }
            // waiting on a busy machine may sleep and be woken, which costs some bytes; a message must not
            assertThat(most[0]).as("bytes per message").isLessThan(1);
        });
    }
}
