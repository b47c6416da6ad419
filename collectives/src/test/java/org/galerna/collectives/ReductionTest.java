package org.galerna.collectives;

import static org.assertj.core.api.Assertions.fail;
import static org.galerna.collectives.Caller.Kind.BLOCKING;
import static org.galerna.collectives.Caller.Kind.NONBLOCKING;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape;
import org.galerna.collectives.team.TeamShape.Groups;
import org.galerna.device.DeviceOptions;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every reduction × algorithm × size × root × in place × a commutative and a non-commutative operation, against the
 * vectors of all ranks combined one after the other. Whole buffers are compared, so that nothing may be written beside
 * the result either, nor to the send buffer.
 */
final class ReductionTest {
    private static final long SEED = Long.getLong("galerna.test.seed", 20_130_821);
    private static final int PAD = 3;
    private static final long UNTOUCHED = 0x5A5A_5A5A_5A5A_5A5AL;
    private static final Reduction SUM = PrimitiveReductions.of(Operator.SUM, long[].class);
    private static final List<Operation> OPERATIONS =
            List.of(Operation.REDUCE, Operation.ALLREDUCE, Operation.REDUCE_SCATTER, Operation.SCAN, Operation.EXSCAN);

    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void everyAlgorithmCombinesInOrder(int size) {
        exercise(BLOCKING, Placement.together(size), DeviceOptions.DEFAULT, new int[] {0, 1, 7, 1000}, false);
    }

    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {2, 3, 4, 7})
    @Tag("slow")
    void everyAlgorithmCombinesLongVectors(int size) {
        exercise(BLOCKING, Placement.together(size), DeviceOptions.DEFAULT, new int[] {100_000}, false);
    }

    /** With an eager limit of 0 every message waits for its receiver: nothing may rely on messages being buffered. */
    @ParameterizedTest
    @ValueSource(ints = {5})
    void noAlgorithmReliesOnBufferedMessages(int size) {
        exercise(BLOCKING, Placement.together(size), new DeviceOptions(0, 0), new int[] {1, 1000}, false);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void noAlgorithmOfFewOrManyRanksReliesOnBufferedMessages(int size) {
        noAlgorithmReliesOnBufferedMessages(size);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8})
    void everyAlgorithmByMessagesCombinesTheSameWithoutBlocking(int size) {
        int[] lengths = size <= 3 ? new int[] {0, 1, 1000, 100_000} : new int[] {0, 1, 1000};
        exercise(NONBLOCKING, Placement.together(size), DeviceOptions.DEFAULT, lengths, false);
        exercise(NONBLOCKING, Placement.together(size), new DeviceOptions(0, 0), new int[] {1, 1000}, false);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void everyAlgorithmOfFewRanksByMessagesCombinesTheSameWithoutBlocking(int size) {
        everyAlgorithmByMessagesCombinesTheSameWithoutBlocking(size);
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 8, 9, 13, 16, 17, 32, 64})
    void everyAlgorithmByMessagesServesManyRanksWithoutBlocking(int size) {
        exercise(
                NONBLOCKING, Placement.together(size), DeviceOptions.DEFAULT, new int[] {0, 1, 7, 1000, 20_000}, false);
    }

    /** Mixed. */
    @ParameterizedTest
    @ValueSource(strings = {"01120133"})
    void everyAlgorithmForHostsCombines(String hosts) {
        exercise(BLOCKING, Placement.of(hosts), DeviceOptions.DEFAULT, new int[] {0, 1, 7, 1000, 100_000}, true);
        exercise(BLOCKING, Placement.of(hosts), new DeviceOptions(0, 0), new int[] {1, 1000}, false);
    }

    /** Processes of several ranks. */
    @ParameterizedTest
    @ValueSource(strings = {"01120133/04451466"})
    void everyAlgorithmForProcessesCombines(String placement) {
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, new int[] {0, 1, 7, 1000, 100_000}, true);
    }

    /** Hosts with several packages of processors, and with processes of several ranks in them or across them. */
    @ParameterizedTest
    @ValueSource(strings = {"00110110/01234567/00101101"})
    void everyAlgorithmForPackagesCombines(String placement) {
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, new int[] {0, 1, 7, 1000, 100_000}, true);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"000011112/001122345/001100110"})
    void everyAlgorithmForOtherPackagesCombines(String placement) {
        everyAlgorithmForPackagesCombines(placement);
    }

    /** Also in order, alternating, and with hosts of one rank. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"0011", "001", "01010", "011222", "010203040"})
    void everyAlgorithmForOtherHostsCombines(String hosts) {
        everyAlgorithmForHostsCombines(hosts);
    }

    /** Also one on each host, all of them on one, or one beside single ranks. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "000/001",
                "0000/0011",
                "00000/01102",
                "01010/01010",
                "00001111/00112233",
                "00000000/01120133",
                "01001011/01221211"
            })
    void everyAlgorithmForOtherProcessesCombines(String placement) {
        everyAlgorithmForProcessesCombines(placement);
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
    void everyAlgorithmCombinesForEveryRoot(int size) {
        exercise(BLOCKING, Placement.together(size), DeviceOptions.DEFAULT, new int[] {0, 1, 7, 1000, 100_000}, true);
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {32, 64})
    void everyAlgorithmServesManyRanks(int size) {
        exercise(BLOCKING, Placement.together(size), DeviceOptions.DEFAULT, new int[] {0, 1, 7, 1000, 20_000}, false);
    }

    private static void exercise(
            Caller.Kind kind, Placement placement, DeviceOptions options, int[] counts, boolean everyRoot) {
        List<Case> cases = new ArrayList<>();
        int size = placement.size();
        TeamShape shape = kind.shape(placement);
        for (Reduction reduction : List.of(SUM, Affine.INSTANCE)) {
            for (int count : counts) {
                Oracle oracle = new Oracle(reduction, size, count, SEED + count);
                for (Operation operation : OPERATIONS) {
                    for (Algorithm algorithm : Catalogue.algorithms(operation)) {
                        if (admits(algorithm.restrictions(), shape, reduction)) {
                            addCases(cases, oracle, operation, algorithm.name(), everyRoot);
                        }
                    }
                }
            }
        }
        System.out.println("ReductionTest: " + size + " ranks, " + cases.size() + " cases, seed " + SEED);
        try (Ranks ranks = Ranks.placed(placement, options, UnaryOperator.identity())) {
            ranks.run(team -> {
                for (Case each : cases) {
                    each.run(team, kind);
                }
            });
        }
    }

    private static boolean admits(Restrictions restrictions, TeamShape shape, Reduction reduction) {
        return restrictions.admits(shape)
                && (restrictions.groups() == Groups.NONE) == (shape.groups() == Groups.NONE)
                && (reduction.commutative() || !restrictions.commutative());
    }

    private static void addCases(
            List<Case> cases, Oracle oracle, Operation operation, String algorithm, boolean everyRoot) {
        int size = oracle.size;
        int[] roots = {0};
        if (operation == Operation.REDUCE && everyRoot) {
            roots = new int[size];
            Arrays.setAll(roots, rank -> rank);
        } else if (operation == Operation.REDUCE) {
            roots = Arrays.stream(new int[] {0, size / 2, size - 1}).distinct().toArray();
        }
        for (int root : roots) {
            cases.add(new Case(oracle, operation, algorithm, root, false));
            cases.add(new Case(oracle, operation, algorithm, root, true));
        }
    }

    /** The vectors of all ranks, and what each must get. */
    private static final class Oracle {
        final Reduction reduction;
        final int size;
        final int count;
        /** Longs in an element. */
        final int width;

        final long[][] inputs;
        /** Combination of the vectors of the ranks up to each one. */
        final long[][] prefixes;
        /** Elements of each rank in a reduceScatter. */
        final int[] parts;

        Oracle(Reduction reduction, int size, int count, long seed) {
            this.reduction = reduction;
            this.size = size;
            this.count = count;
            width = reduction.elementSize() / Long.BYTES;
            inputs = new long[size][count * width];
            prefixes = new long[size][];
            for (int rank = 0; rank < size; rank++) {
                int self = rank;
                Arrays.setAll(inputs[rank], i -> Values.number(seed, self, i));
                prefixes[rank] = inputs[rank].clone();
                if (rank > 0) {
                    reduction.apply(prefixes[rank - 1], 0, prefixes[rank], 0, count);
                }
            }
            parts = new int[size];
            int left = count;
            for (int rank = 0; rank < size - 1; rank++) {
                // about twice the average at most, and nothing for every third
                long most = rank % 3 == 2 ? 0 : Math.min(left, 2L * count / size + 1);
                parts[rank] = (int) Long.remainderUnsigned(Values.number(seed, rank, -1), most + 1);
                left -= parts[rank];
            }
            parts[size - 1] = left;
        }

        long[] total() {
            return prefixes[size - 1];
        }

        @Override
        public String toString() {
            return count + " elements of " + (width == 1 ? "SUM" : "AFFINE");
        }
    }

    private record Case(Oracle oracle, Operation operation, String algorithm, int root, boolean inPlace) {
        void run(Team team, Caller.Kind kind) {
            Caller collectives = kind.of(team, CollectiveOptions.standard().force(operation, algorithm));
            int rank = team.rank();
            long[] input = oracle.inputs[rank];
            boolean leaveInPlace = inPlace && (operation != Operation.REDUCE || rank == root);
            long[] sent = padded(input);
            long[] send = leaveInPlace ? null : sent.clone();
            long[] receive = leaveInPlace ? sent.clone() : padded(new long[input.length]);
            long[] expected = receive.clone();
            int offset = PAD * Long.BYTES;
            int count = oracle.count;
            switch (operation) {
                case REDUCE -> {
                    boolean isRoot = rank == root;
                    // other ranks give a receive buffer as well in half of the cases: it must stay as it is
                    long[] given = isRoot || root % 2 == 0 ? receive : null;
                    collectives.call(on -> on.reduce(send, offset, given, offset, count, oracle.reduction, root));
                    if (isRoot) {
                        put(oracle.total(), 0, expected, oracle.total().length);
                    }
                }
                case ALLREDUCE -> {
                    collectives.call(on -> on.allreduce(send, offset, receive, offset, count, oracle.reduction));
                    put(oracle.total(), 0, expected, oracle.total().length);
                }
                case REDUCE_SCATTER -> {
                    collectives.call(
                            on -> on.reduceScatter(send, offset, receive, offset, oracle.parts, oracle.reduction));
                    int start = 0;
                    for (int other = 0; other < rank; other++) {
                        start += oracle.parts[other];
                    }
                    put(oracle.total(), start * oracle.width, expected, oracle.parts[rank] * oracle.width);
                }
                case SCAN -> {
                    collectives.call(on -> on.scan(send, offset, receive, offset, count, oracle.reduction));
                    put(oracle.prefixes[rank], 0, expected, input.length);
                }
                case EXSCAN -> {
                    collectives.call(on -> on.exscan(send, offset, receive, offset, count, oracle.reduction));
                    if (rank > 0) {
                        put(oracle.prefixes[rank - 1], 0, expected, input.length);
                    }
                }
                default -> throw new IllegalStateException(operation + " is no reduction");
            }
            check(receive, expected, rank, "receive buffer");
            if (send != null) {
                check(send, sent, rank, "send buffer");
            }
        }

        private static long[] padded(long[] vector) {
            long[] padded = new long[vector.length + 2 * PAD];
            Arrays.fill(padded, UNTOUCHED);
            System.arraycopy(vector, 0, padded, PAD, vector.length);
            return padded;
        }

        private static void put(long[] result, int from, long[] expected, int length) {
            System.arraycopy(result, from, expected, PAD, length);
        }

        private void check(long[] actual, long[] expected, int rank, String what) {
            int difference = Arrays.mismatch(actual, expected);
            if (difference >= 0) {
                fail("%s: number %d of the %s of rank %d of %d is %d instead of %d (seed %d)"
                        .formatted(
                                this,
                                difference - PAD,
                                what,
                                rank,
                                oracle.size,
                                actual[difference],
                                expected[difference],
                                SEED));
            }
        }
    }
}
