package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.device.DeviceOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A forced algorithm is the one that runs: it shows in the messages that each rank sends. */
final class ForcedAlgorithmTest {
    private static final int SIZE = 8;

    /** Two ranks on each of four hosts. */
    private static final int[] HOSTS = {0, 0, 1, 1, 2, 2, 3, 3};

    private static final int LENGTH = 200_000;

    /** What fits into a slot on the common heap, for all ranks together too. */
    private static final int SHORT = 64;

    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, byte[].class);

    /** Messages of ranks 0 to 7 in one operation of 200,000 bytes with root 0, on each algorithm. */
    static Stream<Arguments> messagesOfEachRank() {
        return Stream.of(
                pattern(Operation.BARRIER, "dissemination", 3, 3, 3, 3, 3, 3, 3, 3),
                pattern(Operation.BARRIER, "tree", 3, 1, 2, 1, 3, 1, 2, 1),
                pattern(Operation.BARRIER, "twoLevel", 3, 1, 3, 1, 3, 1, 3, 1),
                silent(Operation.BARRIER, "flags"),
                silent(Operation.BCAST, "slots"),
                silent(Operation.GATHER, "slots"),
                silent(Operation.SCATTER, "slots"),
                silent(Operation.ALLGATHER, "slots"),
                silent(Operation.ALLGATHERV, "slots"),
                silent(Operation.ALLTOALL, "slots"),
                silent(Operation.REDUCE, "slots"),
                silent(Operation.ALLREDUCE, "slots"),
                silent(Operation.REDUCE_SCATTER, "slots"),
                silent(Operation.SCAN, "slots"),
                silent(Operation.EXSCAN, "slots"),
                silent(Operation.BCAST, "direct"),
                silent(Operation.GATHER, "direct"),
                silent(Operation.GATHERV, "direct"),
                silent(Operation.SCATTER, "direct"),
                silent(Operation.SCATTERV, "direct"),
                silent(Operation.ALLGATHER, "direct"),
                silent(Operation.ALLGATHERV, "direct"),
                silent(Operation.ALLTOALL, "direct"),
                silent(Operation.ALLTOALLV, "direct"),
                silent(Operation.REDUCE, "direct"),
                silent(Operation.ALLREDUCE, "direct"),
                silent(Operation.REDUCE_SCATTER, "direct"),
                silent(Operation.SCAN, "direct"),
                silent(Operation.EXSCAN, "direct"),
                pattern(Operation.BCAST, "linear", 7, 0, 0, 0, 0, 0, 0, 0),
                pattern(Operation.BCAST, "binomial", 3, 0, 1, 0, 2, 0, 1, 0),
                pattern(Operation.BCAST, "chain", 4, 4, 4, 4, 4, 4, 4, 0),
                pattern(Operation.BCAST, "scatterAllgather", 10, 7, 8, 7, 9, 7, 8, 7),
                pattern(Operation.BCAST, "twoLevel", 3, 0, 1, 0, 2, 0, 1, 0),
                pattern(Operation.GATHER, "linear", 0, 1, 1, 1, 1, 1, 1, 1),
                pattern(Operation.GATHERV, "linear", 0, 1, 1, 1, 1, 1, 1, 1),
                pattern(Operation.GATHER, "binomial", 0, 1, 1, 1, 1, 1, 1, 1),
                pattern(Operation.SCATTER, "linear", 7, 0, 0, 0, 0, 0, 0, 0),
                pattern(Operation.SCATTERV, "linear", 7, 0, 0, 0, 0, 0, 0, 0),
                pattern(Operation.SCATTER, "binomial", 3, 0, 1, 0, 2, 0, 1, 0),
                pattern(Operation.ALLGATHER, "ring", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.ALLGATHERV, "ring", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.ALLGATHER, "neighborExchange", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.ALLGATHERV, "neighborExchange", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.ALLGATHER, "bruck", 3, 3, 3, 3, 3, 3, 3, 3),
                pattern(Operation.ALLGATHERV, "bruck", 3, 3, 3, 3, 3, 3, 3, 3),
                pattern(Operation.ALLGATHER, "twoLevel", 4, 1, 4, 1, 4, 1, 4, 1),
                pattern(Operation.ALLGATHERV, "twoLevel", 4, 1, 4, 1, 4, 1, 4, 1),
                pattern(Operation.ALLGATHER, "recursiveDoubling", 3, 3, 3, 3, 3, 3, 3, 3),
                pattern(Operation.ALLTOALL, "linear", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.ALLTOALLV, "linear", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.ALLTOALL, "pairwise", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.ALLTOALLV, "pairwise", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.ALLTOALL, "bruck", 3, 3, 3, 3, 3, 3, 3, 3),
                pattern(Operation.ALLTOALLV, "bruck", 6, 6, 6, 6, 6, 6, 6, 6),
                pattern(Operation.REDUCE, "binomial", 0, 1, 1, 1, 1, 1, 1, 1),
                pattern(Operation.REDUCE, "ordered", 0, 1, 1, 1, 1, 1, 1, 1),
                pattern(Operation.REDUCE, "rabenseifner", 3, 4, 4, 4, 4, 4, 4, 4),
                pattern(Operation.REDUCE, "twoLevel", 0, 1, 1, 1, 1, 1, 1, 1),
                pattern(Operation.ALLREDUCE, "recursiveDoubling", 3, 3, 3, 3, 3, 3, 3, 3),
                pattern(Operation.ALLREDUCE, "reduceBroadcast", 3, 1, 2, 1, 3, 1, 2, 1),
                pattern(Operation.ALLREDUCE, "ring", 14, 14, 14, 14, 14, 14, 14, 14),
                pattern(Operation.ALLREDUCE, "segmentedRing", 14, 14, 14, 14, 14, 14, 14, 14),
                pattern(Operation.ALLREDUCE, "rabenseifner", 6, 6, 6, 6, 6, 6, 6, 6),
                pattern(Operation.ALLREDUCE, "twoLevel", 5, 1, 5, 1, 5, 1, 5, 1),
                pattern(Operation.REDUCE_SCATTER, "recursiveHalving", 3, 3, 3, 3, 3, 3, 3, 3),
                pattern(Operation.REDUCE_SCATTER, "pairwise", 7, 7, 7, 7, 7, 7, 7, 7),
                pattern(Operation.REDUCE_SCATTER, "ordered", 7, 1, 1, 1, 1, 1, 1, 1),
                pattern(Operation.SCAN, "linear", 1, 1, 1, 1, 1, 1, 1, 0),
                pattern(Operation.EXSCAN, "linear", 1, 1, 1, 1, 1, 1, 1, 0),
                pattern(Operation.SCAN, "recursiveDoubling", 3, 3, 3, 3, 2, 2, 1, 0),
                pattern(Operation.EXSCAN, "recursiveDoubling", 3, 3, 3, 3, 2, 2, 1, 0),
                pattern(Operation.GATHER, "twoLevel", 0, 1, 1, 1, 1, 1, 1, 1),
                pattern(Operation.GATHERV, "twoLevel", 0, 1, 1, 2, 1, 2, 1, 2),
                pattern(Operation.SCATTER, "twoLevel", 4, 0, 1, 0, 1, 0, 1, 0),
                pattern(Operation.SCATTERV, "twoLevel", 7, 0, 1, 0, 1, 0, 1, 0),
                pattern(Operation.ALLTOALL, "twoLevel", 4, 5, 5, 4, 4, 5, 5, 4),
                pattern(Operation.ALLTOALLV, "twoLevel", 5, 6, 6, 5, 5, 6, 6, 5),
                pattern(Operation.REDUCE_SCATTER, "twoLevel", 5, 2, 5, 2, 5, 2, 5, 2),
                pattern(Operation.SCAN, "twoLevel", 3, 1, 4, 1, 3, 1, 2, 1),
                pattern(Operation.EXSCAN, "twoLevel", 4, 1, 5, 1, 4, 1, 3, 1));
    }

    /** On the common heap no message is sent. */
    private static Arguments silent(Operation operation, String algorithm) {
        return pattern(operation, algorithm, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private static Arguments pattern(Operation operation, String algorithm, Integer... messages) {
        return Arguments.of(operation, algorithm, List.of(messages));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("messagesOfEachRank")
    void forcedAlgorithmSendsItsOwnMessages(Operation operation, String algorithm, List<Integer> expected) {
        try (Ranks ranks = Ranks.servedBy(Catalogue.find(operation, algorithm), HOSTS, CountingDevice::new)) {
            CollectiveOptions options = CollectiveOptions.standard().force(operation, algorithm);
            boolean inSlots = algorithm.equals("slots");
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, options);
                int length = inSlots ? SHORT : LENGTH;
                assertThat(collectives.algorithm(operation, length, true)).isEqualTo(algorithm);
                call(collectives, operation, length);
            });
            List<Integer> messages = Stream.iterate(0, rank -> rank + 1)
                    .limit(SIZE)
                    .map(rank -> (int) ((CountingDevice) ranks.device(rank)).messages())
                    .toList();
            assertThat(messages).isEqualTo(expected);
        }
    }

    @Test
    void everyAlgorithmHasItsPattern() {
        List<String> covered = messagesOfEachRank()
                .map(arguments -> arguments.get()[0] + " " + arguments.get()[1])
                .toList();
        for (Operation operation : Operation.values()) {
            for (Algorithm algorithm : Catalogue.algorithms(operation)) {
                assertThat(covered).contains(operation + " " + algorithm.name());
            }
        }
    }

    /** Distances in the tree are relative to the root, so rank 5 as root sends what rank 0 sent above. */
    @Test
    void treesStartAtTheRoot() {
        try (Ranks ranks = Ranks.of(SIZE, DeviceOptions.DEFAULT, CountingDevice::new)) {
            CollectiveOptions options = CollectiveOptions.standard().force(Operation.BCAST, "binomial");
            ranks.run(team -> new Collectives(team, options).bcast(new byte[9], 0, 9, 5));
            CountingDevice root = (CountingDevice) ranks.device(5);
            assertThat(root.messages()).isEqualTo(3);
            assertThat(root.bytes()).isEqualTo(27);
            assertThat(root.messagesTo(6)).isEqualTo(1);
            assertThat(root.messagesTo(7)).isEqualTo(1);
            assertThat(root.messagesTo(1)).isEqualTo(1);
        }
    }

    private static void call(Collectives collectives, Operation operation, int length) {
        byte[] one = new byte[length];
        byte[] all = new byte[length * SIZE];
        int[] counts = new int[SIZE];
        int[] displacements = new int[SIZE];
        Arrays.fill(counts, length);
        Arrays.setAll(displacements, rank -> rank * length);
        Blocks blocks = Blocks.of(counts, displacements, 1);
        switch (operation) {
            case BARRIER -> collectives.barrier();
            case BCAST -> collectives.bcast(one, 0, length, 0);
            case GATHER -> collectives.gather(one, 0, length, all, 0, 0);
            case GATHERV -> collectives.gatherv(one, 0, length, all, 0, blocks, 0);
            case SCATTER -> collectives.scatter(all, 0, one, 0, length, 0);
            case SCATTERV -> collectives.scatterv(all, 0, blocks, one, 0, length, 0);
            case ALLGATHER -> collectives.allgather(one, 0, length, all, 0);
            case ALLGATHERV -> collectives.allgatherv(one, 0, length, all, 0, blocks);
            case ALLTOALL -> collectives.alltoall(all.clone(), 0, all, 0, length);
            case ALLTOALLV -> collectives.alltoallv(all.clone(), 0, blocks, all, 0, blocks);
            case REDUCE -> collectives.reduce(one.clone(), 0, one, 0, length, SUM, 0);
            case ALLREDUCE -> collectives.allreduce(one.clone(), 0, one, 0, length, SUM);
            case REDUCE_SCATTER -> collectives.reduceScatter(all, 0, one, 0, counts, SUM);
            case SCAN -> collectives.scan(one.clone(), 0, one, 0, length, SUM);
            case EXSCAN -> collectives.exscan(one.clone(), 0, one, 0, length, SUM);
        }
    }
}
