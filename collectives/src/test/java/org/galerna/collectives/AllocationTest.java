package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.TeamShape;
import org.galerna.collectives.team.TeamShape.Groups;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Once a team has done an operation, doing it again takes no new memory for intermediate results. */
final class AllocationTest {
    private static final int SIZE = 5;

    /** Two ranks on each host but the last. */
    private static final int[] HOSTS =
            IntStream.range(0, SIZE).map(rank -> rank / 2).toArray();

    private static final int CALLS = 50;
    private static final int WORDS = 8192;
    private static final int BYTES = WORDS * Long.BYTES;
    private static final Reduction BYTE_SUM = PrimitiveReductions.of(Operator.SUM, byte[].class);
    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, long[].class);

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {
                "GATHER",
                "SCATTER",
                "ALLGATHER",
                "ALLTOALL",
                "REDUCE",
                "ALLREDUCE",
                "REDUCE_SCATTER",
                "SCAN",
                "EXSCAN"
            })
    void intermediateResultsTakeNoNewMemory(Operation operation) {
        for (Algorithm algorithm : Catalogue.algorithms(operation)) {
            if (!algorithm.restrictions().admits(new TeamShape(SIZE, true, Groups.HOSTS, 2))) {
                continue;
            }
            CollectiveOptions options = CollectiveOptions.standard().force(operation, algorithm.name());
            try (Ranks ranks = Ranks.servedBy(algorithm, HOSTS, UnaryOperator.identity())) {
                ranks.run(team -> {
                    Collectives collectives = new Collectives(team, options);
                    long[] send = new long[WORDS * SIZE];
                    long[] receive = new long[WORDS * SIZE];
                    int[] counts = new int[SIZE];
                    Arrays.fill(counts, WORDS / SIZE);
                    for (int warmUp = 0; warmUp < 5; warmUp++) {
                        call(collectives, operation, send, receive, counts);
                    }
                    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                    long before = threads.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < CALLS; i++) {
                        call(collectives, operation, send, receive, counts);
                    }
                    long perCall = (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
                    assertThat(perCall)
                            .as(
                                    "bytes that rank %d allocates in a call of %s (%s)",
                                    team.rank(), operation, algorithm.name())
                            .isLessThan(BYTES / 8);
                });
            }
        }
    }

    /**
     * Nor do the collectives of a few bytes allocate anything else; the limit is there because the compiler, which
     * removes small helper objects, may not have finished.
     */
    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"BARRIER", "BCAST", "ALLGATHER", "ALLREDUCE", "REDUCE"})
    void shortCollectivesAllocateNothing(Operation operation) {
        try (Ranks ranks = Ranks.of(2)) {
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, CollectiveOptions.standard());
                byte[] send = new byte[1];
                byte[] receive = new byte[2];
                ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                int calls = 1_000;
                long least = Long.MAX_VALUE;
                for (int round = 0; round < 10; round++) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < calls; i++) {
                        callShort(collectives, operation, send, receive, i % 2);
                    }
                    least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                }
                assertThat((double) least / calls)
                        .as("bytes that rank %d allocates in a call of %s", team.rank(), operation)
                        .isLessThan(64);
            });
        }
    }

    private static void callShort(Collectives collectives, Operation operation, byte[] send, byte[] receive, int root) {
        switch (operation) {
            case BARRIER -> collectives.barrier();
            case BCAST -> collectives.bcast(send, 0, 1, root);
            case ALLGATHER -> collectives.allgather(send, 0, 1, receive, 0);
            case REDUCE -> collectives.reduce(send, 0, receive, 0, 1, BYTE_SUM, root);
            case ALLREDUCE -> collectives.allreduce(send, 0, receive, 0, 1, BYTE_SUM);
            default -> throw new IllegalStateException(operation + " is not called here");
        }
    }

    private static void call(Collectives collectives, Operation operation, long[] send, long[] receive, int[] counts) {
        switch (operation) {
            case GATHER -> collectives.gather(send, 0, BYTES, receive, 0, 2);
            case SCATTER -> collectives.scatter(send, 0, receive, 0, BYTES, 2);
            case ALLGATHER -> collectives.allgather(send, 0, BYTES, receive, 0);
            case ALLTOALL -> collectives.alltoall(send, 0, receive, 0, BYTES);
            case REDUCE -> collectives.reduce(send, 0, receive, 0, WORDS, SUM, 2);
            case ALLREDUCE -> collectives.allreduce(send, 0, receive, 0, WORDS, SUM);
            case REDUCE_SCATTER -> collectives.reduceScatter(send, 0, receive, 0, counts, SUM);
            case SCAN -> collectives.scan(send, 0, receive, 0, WORDS, SUM);
            case EXSCAN -> collectives.exscan(send, 0, receive, 0, WORDS, SUM);
            default -> throw new IllegalStateException(operation + " needs no memory");
        }
    }
}
