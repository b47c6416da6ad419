package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Team;
import org.galerna.device.RankList;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CollectivesTest {
    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, double[].class);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void nobodyLeavesABarrierBeforeEverybodyHasArrived(int size) {
        barriers(new int[size], 50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"001", "01010", "011222"})
    @Tag("slow")
    void nobodyOnAnyOtherHostLeavesABarrierBeforeEverybodyHasArrived(String hosts) {
        nobodyOnAnyHostLeavesABarrierBeforeEverybodyHasArrived(hosts);
    }

    @ParameterizedTest
    @ValueSource(strings = {"01120133"})
    void nobodyOnAnyHostLeavesABarrierBeforeEverybodyHasArrived(String hosts) {
        barriers(Ranks.hosts(hosts), 50);
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @ValueSource(ints = {13, 16, 17, 32, 64})
    void nobodyOfManyLeavesABarrierBeforeEverybodyHasArrived(int size) {
        barriers(new int[size], 20);
    }

    private static void barriers(int[] hosts, int rounds) {
        for (Algorithm algorithm : Catalogue.algorithms(Operation.BARRIER)) {
            CollectiveOptions options = CollectiveOptions.standard().force(Operation.BARRIER, algorithm.name());
            AtomicInteger arrived = new AtomicInteger();
            try (Ranks ranks = Ranks.servedBy(algorithm, hosts, UnaryOperator.identity())) {
                ranks.run(team -> {
                    Collectives collectives = new Collectives(team, options);
                    for (int round = 1; round <= rounds; round++) {
                        arrived.incrementAndGet();
                        collectives.barrier();
                        assertThat(arrived.get())
                                .as("arrivals seen after barrier %d (%s)", round, algorithm.name())
                                .isEqualTo(round * hosts.length);
                        // nobody counts again before all have looked
                        collectives.barrier();
                    }
                });
            }
        }
    }

    /** Team ranks are not device ranks: the odd ranks of six, backwards, while the others do something else. */
    @Test
    void teamsOfSomeRanksInAnyOrderDoNotDisturbEachOther() {
        try (Ranks ranks = Ranks.of(6)) {
            ranks.onThreads(rank -> {
                int[] members = rank % 2 == 1 ? new int[] {5, 3, 1} : new int[] {0, 2, 4};
                Team team = new Team(ranks.device(rank), RankList.of(members), Ranks.CONTEXT);
                Collectives collectives = new Collectives(team, CollectiveOptions.standard());
                for (int round = 0; round < 20; round++) {
                    int[] receive = new int[3];
                    collectives.allgather(new int[] {100 * round + rank}, 0, 4, receive, 0);
                    int offset = 100 * round;
                    int[] expected = Arrays.stream(members)
                            .map(member -> offset + member)
                            .toArray();
                    assertThat(receive).isEqualTo(expected);
                }
                assertThat(team.deviceRank(team.rank())).isEqualTo(rank);
            });
        }
    }

    /** A fast rank may be several collectives ahead of a slow one; contexts keep communicators apart. */
    @Test
    void communicatorsOfTheSameRanksDoNotDisturbEachOther() {
        try (Ranks ranks = Ranks.of(4)) {
            ranks.onThreads(rank -> {
                int[] all = {0, 1, 2, 3};
                Collectives first = new Collectives(
                        new Team(ranks.device(rank), RankList.of(all), 1), CollectiveOptions.standard());
                Collectives second = new Collectives(
                        new Team(ranks.device(rank), RankList.of(all), 2), CollectiveOptions.standard());
                for (int round = 0; round < 200; round++) {
                    int root = round % 4;
                    long[] one = {rank == root ? round : -1};
                    long[] two = {rank == root ? -round : 1};
                    first.bcast(one, 0, 8, root);
                    second.bcast(two, 0, 8, root);
                    assertThat(one[0]).isEqualTo(round);
                    assertThat(two[0]).isEqualTo(-round);
                }
            });
        }
    }

    /** Sums of numbers of very different sizes, where every other order would give other last digits. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 12})
    void floatingPointSumsAreTheSameOnEveryRankAndInEveryRun(int size) {
        int count = 1003;
        for (Algorithm algorithm : Catalogue.algorithms(Operation.ALLREDUCE)) {
            CollectiveOptions options = CollectiveOptions.standard().force(Operation.ALLREDUCE, algorithm.name());
            // alternating, so that the ranks of a host do not follow each other
            int[] hosts = IntStream.range(0, size).map(rank -> rank % 2).toArray();
            double[][] results = new double[2 * size][];
            for (int run = 0; run < 2; run++) {
                int first = run * size;
                try (Ranks ranks = Ranks.servedBy(algorithm, hosts, UnaryOperator.identity())) {
                    ranks.run(team -> {
                        double[] send = new double[count];
                        Arrays.setAll(send, i -> number(team.rank(), i));
                        double[] receive = new double[count];
                        new Collectives(team, options).allreduce(send, 0, receive, 0, count, SUM);
                        results[first + team.rank()] = receive;
                    });
                }
            }
            for (double[] result : results) {
                assertThat(Arrays.equals(result, results[0]))
                        .as("%s gives the same everywhere", algorithm.name())
                        .isTrue();
            }
        }
    }

    private static double number(int rank, int index) {
        long bits = Values.number(1, rank, index);
        return Math.scalb((double) bits, (int) (bits & 31) - 64);
    }

    @Test
    void everyKindOfBufferIsServed() {
        Object[] kinds = {
            new byte[64], new short[32], new char[32], new int[16], new long[8], new float[16], new double[8]
        };
        try (Ranks ranks = Ranks.of(3);
                Arena arena = Arena.ofShared()) {
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, CollectiveOptions.standard());
                for (Object kind : kinds) {
                    MemorySegment sent = arena.allocate(64);
                    for (int i = 0; i < 64; i++) {
                        sent.set(ValueLayout.JAVA_BYTE, i, (byte) (i + 64 * team.rank()));
                    }
                    // sent from a segment, received in an array of its own, passed on in the array
                    Object received = Array.newInstance(kind.getClass().componentType(), Array.getLength(kind) * 3);
                    collectives.allgather(sent, 0, 64, received, 0);
                    MemorySegment back = arena.allocate(192);
                    collectives.alltoall(received, 0, back, 0, 64);
                    for (int i = 0; i < 192; i++) {
                        assertThat(back.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) (i % 64 + 64 * team.rank()));
                    }
                }
                MemorySegment numbers = arena.allocate(24);
                numbers.setAtIndex(ValueLayout.JAVA_DOUBLE, 2, team.rank() + 0.5);
                double[] sum = new double[4];
                collectives.allreduce(numbers, 16, sum, 24, 1, SUM);
                assertThat(sum).containsExactly(0, 0, 0, 4.5);
                collectives.allreduce(null, 0, numbers, 16, 1, SUM);
                assertThat(numbers.getAtIndex(ValueLayout.JAVA_DOUBLE, 2)).isEqualTo(4.5);
            });
        }
    }

    @Test
    void everyAlgorithmDeclaresACostThatGrowsWithTheSize() {
        for (Operation operation : Operation.values()) {
            for (Algorithm algorithm : Catalogue.algorithms(operation)) {
                for (int ranks = 2; ranks <= 64; ranks++) {
                    Cost small = algorithm.cost(ranks, 8);
                    Cost large = algorithm.cost(ranks, 8 << 20);
                    assertThat(small.messages()).as(algorithm.name()).isPositive();
                    double latency = 1e-6;
                    double grown = large.seconds(latency, 1e-10, 1e-10) - small.seconds(latency, 1e-10, 1e-10);
                    assertThat(grown)
                            .as("%s %s with %d ranks", operation, algorithm.name(), ranks)
                            .isGreaterThanOrEqualTo(operation == Operation.BARRIER ? 0 : 1e-5);
                }
            }
        }
    }

    @Test
    @Fault(24)
    void wrongArgumentsAreRejectedBeforeAnythingIsSent() {
        try (Ranks ranks = Ranks.of(2)) {
            ranks.run(team -> {
                Collectives collectives = new Collectives(team, CollectiveOptions.standard());
                byte[] bytes = new byte[8];
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> collectives.bcast(bytes, 0, 8, 2))
                        .withMessage("root 2 is not a rank of 0 to 1");
                assertThatIllegalArgumentException().isThrownBy(() -> collectives.gather(bytes, 0, 4, bytes, 0, -1));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> collectives.gather(bytes, 0, 4, null, 0, team.rank()))
                        .withMessage("the receive buffer of gather is null");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> collectives.gatherv(bytes, 0, 4, bytes, 0, null, team.rank()))
                        .withMessageContaining("the root has to say where the blocks of the ranks are");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> collectives.scatter(null, 0, bytes, 0, 4, team.rank()));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> collectives.reduce(null, 0, bytes, 0, 1, SUM, 1 - team.rank()));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> collectives.allreduce(bytes, 0, bytes, 0, -1, SUM))
                        .withMessage("a count of -1 elements");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> collectives.reduceScatter(bytes, 0, bytes, 0, new int[3], SUM))
                        .withMessage("there must be a block for each of the 2 ranks");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> collectives.allgatherv(
                                bytes, 0, 3, bytes, 0, Blocks.of(new int[] {2, 2}, new int[] {0, 2}, 1)))
                        .withMessageEndingWith("has 3 bytes for itself and room for 2");
                collectives.barrier();
            });
        }
    }

    @Test
    void aRankThatIsNoMemberHasNoTeam() {
        try (Ranks ranks = Ranks.of(1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Team(ranks.device(0), RankList.of(3, 4), 1))
                    .withMessage("rank 0 is not one of the team [3, 4]");
        }
    }
}
