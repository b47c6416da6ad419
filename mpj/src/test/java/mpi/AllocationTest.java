package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What messages allocate, as the thread allocation counter shows: blocking ones of basic types below the eager limit
 * nothing, others no memory of the size of their data.
 */
@Tag("better-compiler")
class AllocationTest {
    private static final int ROUNDS = 5_000;

    /** What is left is not to be allocated in code that is compiled; how long that takes is not said. */
    private static final int ATTEMPTS = 1000;

    private static final int PROMPT_ATTEMPTS = 20;
    private static final long LULL_NANOS = 5_000_000;

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

    private static void assumeNoCoverage() {
        assumeTrue(
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .noneMatch(argument -> argument.contains("jacoco")),
                "what counts coverage makes methods too large to be inlined");
    }

    /** Persistent messages there and back. */
    private static void persistent(Prequest send, Prequest receive, int rank, int rounds) {
        for (int round = 0; round < rounds; round++) {
            Prequest first = rank == 0 ? send : receive;
            Prequest second = rank == 0 ? receive : send;
            first.Start();
            first.Wait();
            second.Start();
            second.Wait();
        }
    }

    /** The most that a rank allocates for a message, in bytes, once the code of both is compiled. */
    private static double leastOfTheMost(double enough, Runnable messages, int rounds) {
        double[] most = {Double.MAX_VALUE};
        double least = Double.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && least >= enough; attempt++) {
            if (attempt >= PROMPT_ATTEMPTS) {
                LockSupport.parkNanos(LULL_NANOS); // ranks that wait leave the compilers of a busy machine no processor
            }
            messages.run();
            long before = allocated();
            messages.run();
            double each = (allocated() - before) / (double) rounds / 2;
            MPI.COMM_WORLD.Allreduce(new double[] {each}, 0, most, 0, 1, MPI.DOUBLE, MPI.MAX);
            least = Math.min(least, most[0]);
        }
        return least;
    }

    @Test
    void itemsWithGapsGoThroughArraysThatAreUsedAgain() {
        Ranks.run(2, (rank, size) -> {
            // 400 bytes in a message, and 80000, which is above the eager limit
            for (int blocks : new int[] {50, 10_000}) {
                double[] data = new double[2 * blocks];
                Datatype vector = Datatype.Vector(blocks, 1, 2, MPI.DOUBLE);
                int rounds = 200;
                Runnable messages = () -> {
                    for (int round = 0; round < rounds; round++) {
                        if (rank == 0) {
                            MPI.COMM_WORLD.Send(data, 0, 1, vector, 1, 1);
                            MPI.COMM_WORLD.Recv(data, 0, 1, vector, 1, 1);
                        } else {
                            MPI.COMM_WORLD.Recv(data, 0, 1, vector, 0, 1);
                            MPI.COMM_WORLD.Send(data, 0, 1, vector, 0, 1);
                        }
                    }
                };
                assertThat(leastOfTheMost(600, messages, rounds))
                        .as("bytes per message of " + blocks + " blocks, requests and all")
                        .isLessThan(600);
            }
        });
    }

    @Test
    void blockingCollectivesOfPlainArraysAllocateNothing() {
        assumeNoCoverage();
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            double[] out = new double[8];
            double[] in = new double[8];
            // roots take turns: one that runs ahead fills the others' memory for messages that nobody waits for yet
            Map<String, IntConsumer> calls = Map.of(
                    "Barrier", _ -> world.Barrier(),
                    "Bcast", root -> world.Bcast(out, 0, 4, MPI.DOUBLE, root),
                    "Gather", root -> world.Gather(out, 0, 4, MPI.DOUBLE, in, 0, 4, MPI.DOUBLE, root),
                    "Scatter", root -> world.Scatter(out, 0, 4, MPI.DOUBLE, in, 0, 4, MPI.DOUBLE, root),
                    "Allgather", _ -> world.Allgather(out, 0, 4, MPI.DOUBLE, in, 0, 4, MPI.DOUBLE),
                    "Alltoall", _ -> world.Alltoall(out, 0, 4, MPI.DOUBLE, in, 0, 4, MPI.DOUBLE),
                    "Reduce", root -> world.Reduce(out, 0, in, 0, 4, MPI.DOUBLE, MPI.SUM, root),
                    "Allreduce", _ -> world.Allreduce(out, 0, in, 0, 4, MPI.DOUBLE, MPI.MAX),
                    "Scan", _ -> world.Scan(out, 0, in, 0, 4, MPI.DOUBLE, MPI.SUM));
            for (String name : new TreeSet<>(calls.keySet())) {
                IntConsumer call = calls.get(name);
                Runnable many = () -> {
                    for (int round = 0; round < 1000; round++) {
                        call.accept(round % 2);
                    }
                };
                assertThat(leastOfTheMost(1, many, 1000))
                        .as("bytes per " + name)
                        .isLessThan(1);
            }
        });
    }

    @Test
    @Tag("slow")
    void persistentMessagesOfAnySizeAllocateTheirStatusAlone() {
        Ranks.run(2, (rank, size) -> {
            double[] data = new double[100_000];
            for (Datatype type : new Datatype[] {MPI.DOUBLE, Datatype.Vector(50, 1, 2, MPI.DOUBLE)}) {
                // 800 bytes in a message, 40000, which is above the eager limit, and 400000
                for (int doubles : new int[] {100, 5_000, 50_000}) {
                    int count = type == MPI.DOUBLE ? doubles : doubles / 100;
                    Prequest send = MPI.COMM_WORLD.Send_init(data, 0, count, type, 1 - rank, 1);
                    Prequest receive = MPI.COMM_WORLD.Recv_init(data, 0, count, type, 1 - rank, 1);
                    int rounds = 2_000_000 / doubles;
                    assertThat(leastOfTheMost(65, () -> persistent(send, receive, rank, rounds), rounds))
                            .as("bytes per message of " + doubles + " elements of " + type)
                            .isLessThan(65);
                }
            }
        });
    }

    @Test
    void blockingMessagesAllocateNothing() {
        assumeNoCoverage();
        Ranks.run(2, (rank, size) -> {
            byte[] bytes = new byte[100];
            double[] doubles = new double[100];
            // waiting on a busy machine may sleep and be woken, which costs some bytes; a message must not
            assertThat(leastOfTheMost(0.5, () -> pingPong(bytes, doubles, rank, ROUNDS), ROUNDS))
                    .as("bytes per message")
                    .isLessThan(0.5);
        });
    }
}
