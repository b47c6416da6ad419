package mpi;

import static mpi.PointToPointMatrixTest.TYPES;
import static mpi.PointToPointMatrixTest.buffer;
import static mpi.PointToPointMatrixTest.type;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import org.galerna.harness.Ranks;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every collective that moves data, with every datatype, every root and an oracle that knows all ranks' data. */
class CollectivesMatrixTest {
    private static final int OFFSET = 2;

    /** Items of the oracle, packed: item {@code i} of the buffer that rank {@code rank} starts with. */
    private static Object items(Datatype type, Object buffer, int firstItem, int count) {
        Object packed = Inside.element(type).newArray(count * type.Size());
        Inside.layout(type).gather(buffer, OFFSET + firstItem * type.Extent(), count, packed, 0);
        return packed;
    }

    private static Object copy(Datatype type, Object buffer) {
        Object copy = Inside.element(type).newArray(Array.getLength(buffer));
        System.arraycopy(buffer, 0, copy, 0, Array.getLength(buffer));
        return copy;
    }

    private static int elements(Datatype type, int items) {
        return OFFSET + (items + 1) * Math.max(type.Extent(), type.Ub());
    }

    /** A rank's data: different on every rank. */
    private static Object data(Datatype type, int items, int rank) {
        return buffer(type, elements(type, items), 1 + 1000 * rank);
    }

    private static void place(Datatype type, Object packed, Object expected, int firstItem) {
        Inside.layout(type).scatter(packed, 0, Array.getLength(packed), expected, OFFSET + firstItem * type.Extent());
    }

    private static void moveEverything(int rank, int size) throws ReflectiveOperationException {
        for (String name : TYPES) {
            move(type(name), new int[] {0, 1, 3, 300}, rank, size);
        }
    }

    /** Types that stand for the others where there are so many ranks that trying all would take minutes. */
    private static void moveSomeTypes(int rank, int size) throws ReflectiveOperationException {
        for (String name : new String[] {"BYTE", "BOOLEAN", "OBJECT", "DOUBLE2", "vector of DOUBLE"}) {
            move(type(name), new int[] {1, 300}, rank, size);
        }
    }

    private static void move(Datatype type, int[] amounts, int rank, int size) {
        for (int count : amounts) {
            for (int root = 0; root < size; root = root * 2 + 1) {
                bcast(type, count, root, rank);
                gather(type, count, root, rank, size);
                scatter(type, count, root, rank, size);
            }
            allgather(type, count, rank, size);
            alltoall(type, count, rank, size);
        }
        for (int root = 0; root < size; root = root * 2 + 1) {
            gatherv(type, root, rank, size);
            scatterv(type, root, rank, size);
        }
        allgatherv(type, rank, size);
        alltoallv(type, rank, size);
    }

    private static void bcast(Datatype type, int count, int root, int rank) {
        Object mine = data(type, count, rank);
        Object expected = copy(type, mine);
        place(type, items(type, data(type, count, root), 0, count), expected, 0);
        MPI.COMM_WORLD.Bcast(mine, OFFSET, count, type, root);
        assertThat(mine).as("Bcast of " + count + " " + type + " by " + root).isEqualTo(expected);
    }

    private static void gather(Datatype type, int count, int root, int rank, int size) {
        Object mine = data(type, count, rank);
        Object before = copy(type, mine);
        Object target = rank == root ? data(type, count * size, 50) : null;
        Object expected = rank == root ? copy(type, target) : null;
        for (int from = 0; from < size && rank == root; from++) {
            place(type, items(type, data(type, count, from), 0, count), expected, from * count);
        }
        MPI.COMM_WORLD.Gather(mine, OFFSET, count, type, target, OFFSET, count, type, root);
        assertThat(target).as("Gather of " + count + " " + type + " to " + root).isEqualTo(expected);
        assertThat(mine).isEqualTo(before);
    }

    private static void scatter(Datatype type, int count, int root, int rank, int size) {
        Object source = rank == root ? data(type, count * size, root) : null;
        Object target = data(type, count, 60);
        Object expected = copy(type, target);
        place(type, items(type, data(type, count * size, root), rank * count, count), expected, 0);
        MPI.COMM_WORLD.Scatter(source, OFFSET, count, type, target, OFFSET, count, type, root);
        assertThat(target)
                .as("Scatter of " + count + " " + type + " by " + root)
                .isEqualTo(expected);
    }

    private static void allgather(Datatype type, int count, int rank, int size) {
        Object target = data(type, count * size, 50);
        Object expected = copy(type, target);
        for (int from = 0; from < size; from++) {
            place(type, items(type, data(type, count, from), 0, count), expected, from * count);
        }
        MPI.COMM_WORLD.Allgather(data(type, count, rank), OFFSET, count, type, target, OFFSET, count, type);
        assertThat(target).as("Allgather of " + count + " " + type).isEqualTo(expected);
    }

    private static void alltoall(Datatype type, int count, int rank, int size) {
        Object target = data(type, count * size, 50);
        Object expected = copy(type, target);
        for (int from = 0; from < size; from++) {
            place(type, items(type, data(type, count * size, from), rank * count, count), expected, from * count);
        }
        MPI.COMM_WORLD.Alltoall(data(type, count * size, rank), OFFSET, count, type, target, OFFSET, count, type);
        assertThat(target).as("Alltoall of " + count + " " + type).isEqualTo(expected);
    }

    /** Items that rank {@code from} sends to rank {@code to}; also none. */
    private static int count(int from, int to) {
        return (3 * from + 5 * to) % 4;
    }

    /** Counts for all ranks, and displacements that leave a gap before each block and turn their order round. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Blocks(int[] counts, int[] displacements, int total) {
        static Blocks of(int[] counts) {
            int[] displacements = new int[counts.length];
            int position = 0;
            for (int rank = counts.length - 1; rank >= 0; rank--) {
                displacements[rank] = ++position;
                position += counts[rank];
            }
            return new Blocks(counts, displacements, position);
        }
    }

    private static Blocks sentBy(int from, int size) {
        int[] counts = new int[size];
        for (int to = 0; to < size; to++) {
            counts[to] = count(from, to);
        }
        return Blocks.of(counts);
    }

    private static Blocks receivedBy(int to, int size) {
        int[] counts = new int[size];
        for (int from = 0; from < size; from++) {
            counts[from] = count(from, to);
        }
        return Blocks.of(counts);
    }

    private static void gatherv(Datatype type, int root, int rank, int size) {
        Blocks blocks = receivedBy(root, size);
        Object target = rank == root ? data(type, blocks.total(), 50) : null;
        Object expected = rank == root ? copy(type, target) : null;
        for (int from = 0; from < size && rank == root; from++) {
            int count = blocks.counts()[from];
            place(type, items(type, data(type, count, from), 0, count), expected, blocks.displacements()[from]);
        }
        int mine = count(rank, root);
        MPI.COMM_WORLD.Gatherv(
                data(type, mine, rank),
                OFFSET,
                mine,
                type,
                target,
                OFFSET,
                rank == root ? blocks.counts() : null,
                rank == root ? blocks.displacements() : null,
                type,
                root);
        assertThat(target).as("Gatherv of " + type + " to " + root).isEqualTo(expected);
    }

    private static void scatterv(Datatype type, int root, int rank, int size) {
        Blocks blocks = sentBy(root, size);
        int mine = count(root, rank);
        Object target = data(type, mine, 60);
        Object expected = copy(type, target);
        place(type, items(type, data(type, blocks.total(), root), blocks.displacements()[rank], mine), expected, 0);
        MPI.COMM_WORLD.Scatterv(
                rank == root ? data(type, blocks.total(), root) : null,
                OFFSET,
                rank == root ? blocks.counts() : null,
                rank == root ? blocks.displacements() : null,
                type,
                target,
                OFFSET,
                mine,
                type,
                root);
        assertThat(target).as("Scatterv of " + type + " by " + root).isEqualTo(expected);
    }

    private static void allgatherv(Datatype type, int rank, int size) {
        Blocks blocks = receivedBy(0, size);
        Object target = data(type, blocks.total(), 50);
        Object expected = copy(type, target);
        for (int from = 0; from < size; from++) {
            int count = blocks.counts()[from];
            place(type, items(type, data(type, count, from), 0, count), expected, blocks.displacements()[from]);
        }
        int mine = blocks.counts()[rank];
        MPI.COMM_WORLD.Allgatherv(
                data(type, mine, rank),
                OFFSET,
                mine,
                type,
                target,
                OFFSET,
                blocks.counts(),
                blocks.displacements(),
                type);
        assertThat(target).as("Allgatherv of " + type).isEqualTo(expected);
    }

    private static void alltoallv(Datatype type, int rank, int size) {
        Blocks incoming = receivedBy(rank, size);
        Blocks outgoing = sentBy(rank, size);
        Object target = data(type, incoming.total(), 50);
        Object expected = copy(type, target);
        for (int from = 0; from < size; from++) {
            Blocks theirs = sentBy(from, size);
            int count = theirs.counts()[rank];
            place(
                    type,
                    items(type, data(type, theirs.total(), from), theirs.displacements()[rank], count),
                    expected,
                    incoming.displacements()[from]);
        }
        MPI.COMM_WORLD.Alltoallv(
                data(type, outgoing.total(), rank),
                OFFSET,
                outgoing.counts(),
                outgoing.displacements(),
                type,
                target,
                OFFSET,
                incoming.counts(),
                incoming.displacements(),
                type);
        assertThat(target).as("Alltoallv of " + type).isEqualTo(expected);
    }

    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {2, 3, 7})
    void dataArriveWhereTheyBelong(int ranks) {
        Ranks.run(ranks, CollectivesMatrixTest::moveEverything);
    }

    @Tag("slow")
    @ParameterizedTest
    @Fault(25)
    @ValueSource(ints = {1, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 32, 64})
    void dataArriveWhereTheyBelongOnManyRanks(int ranks) {
        Ranks.run(ranks, CollectivesMatrixTest::moveSomeTypes);
    }

    /** Among these are types whose items have gaps; some ranks have nothing for others. */
    @ParameterizedTest
    @Fault(25)
    @ValueSource(strings = {"linear", "pairwise", "bruck", "direct"})
    void everyAlgorithmExchangesItemsOfAnyType(String algorithm) {
        String option = "galerna.coll.alltoallv";
        System.setProperty(option, algorithm);
        try {
            Ranks.run(5, (rank, size) -> {
                for (String name : TYPES) {
                    alltoallv(type(name), rank, size);
                }
            });
        } finally {
            System.clearProperty(option);
        }
    }
}
