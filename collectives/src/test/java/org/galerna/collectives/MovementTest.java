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
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape;
import org.galerna.collectives.team.TeamShape.Groups;
import org.galerna.device.DeviceOptions;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every collective that only moves bytes × algorithm × size × root × in place, against what the inputs say must arrive.
 * Whole buffers are compared, so that nothing may be written beside the blocks either.
 */
final class MovementTest {
    private static final long SEED = Long.getLong("galerna.test.seed", 20_130_821);
    private static final int PAD = 5;
    private static final byte UNTOUCHED = 0x5A;
    private static final int[] SHORT = {0, 1, 7, 1000};
    private static final int[] LONG = {100_000};
    private static final int[] EVERY_LENGTH = {0, 1, 7, 1000, 100_000};
    private static final List<Operation> OPERATIONS = List.of(
            Operation.BCAST,
            Operation.GATHER,
            Operation.GATHERV,
            Operation.SCATTER,
            Operation.SCATTERV,
            Operation.ALLGATHER,
            Operation.ALLGATHERV,
            Operation.ALLTOALL,
            Operation.ALLTOALLV);

    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void everyAlgorithmMovesWhatItMust(int size) {
        exercise(BLOCKING, Placement.together(size), DeviceOptions.DEFAULT, new int[] {0, 1, 7, 1000}, false);
    }

    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {2, 3, 4, 7})
    @Tag("slow")
    void everyAlgorithmMovesLongBlocks(int size) {
        exercise(BLOCKING, Placement.together(size), DeviceOptions.DEFAULT, new int[] {100_000}, false);
    }

    /** With an eager limit of 0 every message waits for its receiver: nothing may rely on messages being buffered. */
    @ParameterizedTest
    @ValueSource(ints = {5})
    void noAlgorithmReliesOnBufferedMessages(int size) {
        exercise(BLOCKING, Placement.together(size), new DeviceOptions(0, 0), new int[] {0, 1, 1000}, false);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void noAlgorithmOfFewOrManyRanksReliesOnBufferedMessages(int size) {
        noAlgorithmReliesOnBufferedMessages(size);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8})
    void everyAlgorithmByMessagesMovesTheSameWithoutBlocking(int size) {
        int[] lengths = size <= 3 ? new int[] {0, 1, 1000, 100_000} : new int[] {0, 1, 1000};
        exercise(NONBLOCKING, Placement.together(size), DeviceOptions.DEFAULT, lengths, false);
        exercise(NONBLOCKING, Placement.together(size), new DeviceOptions(0, 0), new int[] {1, 1000}, false);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void everyAlgorithmOfFewRanksByMessagesMovesTheSameWithoutBlocking(int size) {
        everyAlgorithmByMessagesMovesTheSameWithoutBlocking(size);
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
    void everyAlgorithmForHostsMovesWhatItMust(String hosts) {
        exercise(BLOCKING, Placement.of(hosts), DeviceOptions.DEFAULT, SHORT, true);
        exercise(BLOCKING, Placement.of(hosts), DeviceOptions.DEFAULT, LONG, false);
        exercise(BLOCKING, Placement.of(hosts), new DeviceOptions(0, 0), new int[] {1, 1000}, false);
    }

    /** Processes of several ranks. */
    @ParameterizedTest
    @ValueSource(strings = {"01120133/04451466"})
    void everyAlgorithmForProcessesMovesWhatItMust(String placement) {
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, SHORT, true);
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, LONG, false);
    }

    /** Hosts with several packages of processors, and with processes of several ranks in them or across them. */
    @ParameterizedTest
    @ValueSource(strings = {"00110110/01234567/00101101"})
    void everyAlgorithmForPackagesMovesWhatItMust(String placement) {
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, SHORT, true);
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, LONG, false);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"01120133", "01120133/04451466", "00110110/01234567/00101101"})
    void everyAlgorithmMovesLongDataFromEveryRoot(String placement) {
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, LONG, true);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"000011112/001122345/001100110"})
    void everyAlgorithmForOtherPackagesMovesWhatItMust(String placement) {
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, EVERY_LENGTH, true);
    }

    /** Also in order, alternating, and with hosts of one rank. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"0011", "001", "01010", "011222", "010203040"})
    void everyAlgorithmForOtherHostsMovesWhatItMust(String hosts) {
        exercise(BLOCKING, Placement.of(hosts), DeviceOptions.DEFAULT, EVERY_LENGTH, true);
        exercise(BLOCKING, Placement.of(hosts), new DeviceOptions(0, 0), new int[] {1, 1000}, false);
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
    void everyAlgorithmForOtherProcessesMovesWhatItMust(String placement) {
        exercise(BLOCKING, Placement.of(placement), DeviceOptions.DEFAULT, EVERY_LENGTH, true);
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
    void everyAlgorithmMovesEverythingFromEveryRoot(int size) {
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

    /** A chain has several segments, a scattered broadcast has pieces that are not of one size. */
    @Test
    void broadcastsOfMegabytesArrive() {
        List<Case> cases = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.algorithms(Operation.BCAST)) {
            cases.add(new Case(Operation.BCAST, algorithm.name(), (1 << 20) + 13, 1, false, SEED));
        }
        run(BLOCKING, Placement.together(5), DeviceOptions.DEFAULT, cases);
        // chains on both levels, and more leaders than a chain is for
        run(BLOCKING, Placement.of("01102"), DeviceOptions.DEFAULT, cases);
        run(BLOCKING, Placement.of("0123456788"), DeviceOptions.DEFAULT, cases);
        run(BLOCKING, Placement.of("00000/01102"), DeviceOptions.DEFAULT, cases);
    }

    private static void exercise(
            Caller.Kind kind, Placement placement, DeviceOptions options, int[] lengths, boolean everyRoot) {
        List<Case> cases = new ArrayList<>();
        long seed = SEED;
        int size = placement.size();
        TeamShape shape = kind.shape(placement);
        for (Operation operation : OPERATIONS) {
            for (Algorithm algorithm : Catalogue.algorithms(operation)) {
                if (!algorithm.restrictions().admits(shape)
                        || (algorithm.restrictions().groups() == Groups.NONE) != (shape.groups() == Groups.NONE)) {
                    continue;
                }
                for (int length : lengths) {
                    for (int root : roots(operation, size, everyRoot)) {
                        cases.add(new Case(operation, algorithm.name(), length, root, false, seed++));
                        if (operation != Operation.BCAST) {
                            cases.add(new Case(operation, algorithm.name(), length, root, true, seed++));
                        }
                    }
                }
            }
        }
        run(kind, placement, options, cases);
    }

    private static int[] roots(Operation operation, int size, boolean every) {
        return switch (operation) {
            case BCAST, GATHER, GATHERV, SCATTER, SCATTERV -> {
                if (every) {
                    int[] roots = new int[size];
                    Arrays.setAll(roots, rank -> rank);
                    yield roots;
                }
                yield Arrays.stream(new int[] {0, size / 2, size - 1})
                        .distinct()
                        .toArray();
            }
            default -> new int[] {0};
        };
    }

    /** All cases one after the other, with nothing between them that would keep the ranks in step. */
    private static void run(Caller.Kind kind, Placement placement, DeviceOptions options, List<Case> cases) {
        System.out.println("MovementTest: " + placement.size() + " ranks, " + cases.size() + " cases, seed " + SEED);
        try (Ranks ranks = Ranks.placed(placement, options, UnaryOperator.identity())) {
            ranks.run(team -> {
                for (Case each : cases) {
                    each.run(team, kind);
                }
            });
        }
    }

    private record Case(Operation operation, String algorithm, int length, int root, boolean inPlace, long seed) {
        void run(Team team, Caller.Kind kind) {
            Caller collectives = kind.of(team, CollectiveOptions.standard().force(operation, algorithm));
            int rank = team.rank();
            int size = team.size();
            switch (operation) {
                case BCAST -> bcast(collectives, rank);
                case GATHER, GATHERV -> gather(collectives, rank, size);
                case SCATTER, SCATTERV -> scatter(collectives, rank, size);
                case ALLGATHER, ALLGATHERV -> allgather(collectives, rank, size);
                case ALLTOALL, ALLTOALLV -> alltoall(collectives, rank, size);
                default -> throw new IllegalStateException(operation + " does not move bytes only");
            }
        }

        private void bcast(Caller collectives, int rank) {
            byte[] expected = buffer(length);
            Values.fill(expected, PAD, length, seed, root);
            byte[] actual = rank == root ? expected.clone() : buffer(length);
            collectives.call(on -> on.bcast(actual, PAD, length, root));
            check(actual, expected, rank, "buffer");
        }

        private Layout layout(int size) {
            return switch (operation) {
                case GATHERV, SCATTERV, ALLGATHERV -> Layout.irregular(seed, size, length);
                default -> Layout.uniform(size, length);
            };
        }

        private void gather(Caller collectives, int rank, int size) {
            Layout layout = layout(size);
            int own = layout.count(rank);
            byte[] sent = buffer(own);
            Values.fill(sent, PAD, own, seed, rank);
            byte[] send = inPlace && rank == root ? null : sent.clone();
            byte[] expected = blocksOfAll(layout);
            byte[] receive = rank == root ? buffer(layout.extent()) : null;
            if (receive != null && send == null) {
                Values.fill(receive, PAD + layout.displacement(rank), own, seed, rank);
            }
            if (operation == Operation.GATHER) {
                collectives.call(on -> on.gather(send, PAD, length, receive, PAD, root));
            } else {
                Blocks blocks = rank == root ? layout.blocks(inPlace) : null;
                collectives.call(on -> on.gatherv(send, PAD, own, receive, PAD, blocks, root));
            }
            if (receive != null) {
                check(receive, expected, rank, "receive buffer");
            }
            if (send != null) {
                check(send, sent, rank, "send buffer");
            }
        }

        private void scatter(Caller collectives, int rank, int size) {
            Layout layout = layout(size);
            int own = layout.count(rank);
            byte[] sent = blocksOfAll(layout);
            byte[] send = rank == root ? sent.clone() : null;
            byte[] expected = buffer(own);
            Values.fill(expected, PAD, own, seed, rank);
            byte[] receive = inPlace && rank == root ? null : buffer(own);
            if (operation == Operation.SCATTER) {
                collectives.call(on -> on.scatter(send, PAD, receive, PAD, length, root));
            } else {
                Blocks blocks = rank == root ? layout.blocks(inPlace) : null;
                collectives.call(on -> on.scatterv(send, PAD, blocks, receive, PAD, own, root));
            }
            if (receive != null) {
                check(receive, expected, rank, "receive buffer");
            }
            if (send != null) {
                check(send, sent, rank, "send buffer");
            }
        }

        private void allgather(Caller collectives, int rank, int size) {
            Layout layout = layout(size);
            int own = layout.count(rank);
            byte[] sent = buffer(own);
            Values.fill(sent, PAD, own, seed, rank);
            byte[] send = inPlace ? null : sent.clone();
            byte[] receive = buffer(layout.extent());
            if (inPlace) {
                Values.fill(receive, PAD + layout.displacement(rank), own, seed, rank);
            }
            if (operation == Operation.ALLGATHER) {
                collectives.call(on -> on.allgather(send, PAD, length, receive, PAD));
            } else {
                collectives.call(on -> on.allgatherv(send, PAD, own, receive, PAD, layout.blocks(inPlace)));
            }
            check(receive, blocksOfAll(layout), rank, "receive buffer");
            if (send != null) {
                check(send, sent, rank, "send buffer");
            }
        }

        private byte[] blocksOfAll(Layout layout) {
            byte[] all = buffer(layout.extent());
            for (int rank = 0; rank < layout.size(); rank++) {
                Values.fill(all, PAD + layout.displacement(rank), layout.count(rank), seed, rank);
            }
            return all;
        }

        /** In place, a rank gets as much from each other as it sends there. */
        private int exchanged(int from, int to, int size) {
            if (operation == Operation.ALLTOALL) {
                return length;
            }
            int pair = inPlace ? Math.min(from, to) * size + Math.max(from, to) : from * size + to;
            return (int) Long.remainderUnsigned(Values.number(seed, pair, -1), length + 1L);
        }

        private void alltoall(Caller collectives, int rank, int size) {
            int[] outgoing = new int[size];
            int[] incoming = new int[size];
            for (int other = 0; other < size; other++) {
                outgoing[other] = exchanged(rank, other, size);
                incoming[other] = exchanged(other, rank, size);
            }
            boolean uniform = operation == Operation.ALLTOALL;
            Layout to = uniform ? Layout.uniform(size, length) : Layout.of(outgoing);
            Layout from = uniform ? Layout.uniform(size, length) : Layout.of(incoming);
            byte[] sent = buffer(to.extent());
            byte[] expected = buffer(from.extent());
            for (int other = 0; other < size; other++) {
                Values.fill(sent, PAD + to.displacement(other), outgoing[other], seed, rank * size + other);
                Values.fill(expected, PAD + from.displacement(other), incoming[other], seed, other * size + rank);
            }
            byte[] send = inPlace ? null : sent.clone();
            byte[] receive = inPlace ? sent.clone() : buffer(from.extent());
            if (uniform) {
                collectives.call(on -> on.alltoall(send, PAD, receive, PAD, length));
            } else {
                collectives.call(on -> on.alltoallv(send, PAD, to.blocks(true), receive, PAD, from.blocks(false)));
            }
            check(receive, expected, rank, "receive buffer");
            if (send != null) {
                check(send, sent, rank, "send buffer");
            }
        }

        private static byte[] buffer(int length) {
            byte[] buffer = new byte[length + 2 * PAD];
            Arrays.fill(buffer, UNTOUCHED);
            return buffer;
        }

        private void check(byte[] actual, byte[] expected, int rank, String what) {
            int difference = Arrays.mismatch(actual, expected);
            if (difference >= 0) {
                fail("%s: byte %d of the %s of rank %d is %d instead of %d"
                        .formatted(this, difference - PAD, what, rank, actual[difference], expected[difference]));
            }
        }
    }
}
