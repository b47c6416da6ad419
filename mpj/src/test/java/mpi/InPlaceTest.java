package mpi;

import static mpi.PointToPointMatrixTest.TYPES;
import static mpi.PointToPointMatrixTest.buffer;
import static mpi.PointToPointMatrixTest.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.Arrays;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link MPI#IN_PLACE} gives what two buffers give: each operation is done in both ways, the second of which other tests
 * compare with an oracle.
 */
class InPlaceTest {
    private static final int OFFSET = 2;
    private static final Object HERE = MPI.IN_PLACE;

    private static Object copy(Object array) {
        Object copy = Array.newInstance(array.getClass().getComponentType(), Array.getLength(array));
        System.arraycopy(array, 0, copy, 0, Array.getLength(array));
        return copy;
    }

    /** A rank's data: different on every rank, with room for {@code items} items behind the offset. */
    private static Object data(Datatype type, int items, int rank) {
        return buffer(type, OFFSET + (items + 1) * Math.max(type.Extent(), type.Ub()), 1 + 1000 * rank);
    }

    private static void move(Datatype type, int count, int rank, int size) {
        Intracomm world = MPI.COMM_WORLD;
        int extent = type.Extent();
        int own = OFFSET + rank * count * extent;
        int root = count % size;

        Object expected = data(type, count * size, rank);
        world.Allgather(copy(expected), own, count, type, expected, OFFSET, count, type);
        Object actual = data(type, count * size, rank);
        world.Allgather(HERE, 0, 0, type, actual, OFFSET, count, type);
        assertThat(actual).as("Allgather of " + count + " " + type).isEqualTo(expected);

        expected = data(type, count * size, rank);
        Object mine = copy(expected);
        world.Gather(mine, own, count, type, expected, OFFSET, count, type, root);
        actual = copy(mine);
        world.Gather(rank == root ? HERE : mine, own, count, type, actual, OFFSET, count, type, root);
        assertThat(actual).as("Gather of " + count + " " + type).isEqualTo(expected);

        Object all = data(type, count * size, rank);
        expected = copy(all);
        world.Scatter(all, OFFSET, count, type, expected, own, count, type, root);
        actual = copy(all);
        world.Scatter(all, OFFSET, count, type, rank == root ? HERE : actual, own, count, type, root);
        assertThat(actual).as("Scatter of " + count + " " + type).isEqualTo(expected);

        expected = data(type, count * size, rank);
        actual = copy(expected);
        world.Alltoall(copy(expected), OFFSET, count, type, expected, OFFSET, count, type);
        world.Alltoall(HERE, 0, 0, type, actual, OFFSET, count, type);
        assertThat(actual).as("Alltoall of " + count + " " + type).isEqualTo(expected);
    }

    private static void moveVarying(Datatype type, int rank, int size) {
        Intracomm world = MPI.COMM_WORLD;
        int[] counts = new int[size];
        int[] places = new int[size];
        int[] symmetric = new int[size];
        int[] symmetricPlaces = new int[size];
        int end = 0;
        int symmetricEnd = 0;
        for (int each = 0; each < size; each++) {
            counts[each] = (each + 1) % 3;
            places[each] = end + 1;
            end = places[each] + counts[each];
            symmetric[each] = (each + rank) % 4;
            symmetricPlaces[each] = symmetricEnd;
            symmetricEnd += symmetric[each];
        }
        int own = OFFSET + places[rank] * type.Extent();
        int root = size - 1;

        Object expected = data(type, end, rank);
        Object actual = copy(expected);
        world.Allgatherv(copy(expected), own, counts[rank], type, expected, OFFSET, counts, places, type);
        world.Allgatherv(HERE, 0, 0, type, actual, OFFSET, counts, places, type);
        assertThat(actual).as("Allgatherv of " + type).isEqualTo(expected);

        Object mine = data(type, end, rank);
        expected = copy(mine);
        actual = copy(mine);
        world.Gatherv(mine, own, counts[rank], type, expected, OFFSET, counts, places, type, root);
        world.Gatherv(rank == root ? HERE : mine, own, counts[rank], type, actual, OFFSET, counts, places, type, root);
        assertThat(actual).as("Gatherv of " + type).isEqualTo(expected);

        expected = copy(mine);
        actual = copy(mine);
        world.Scatterv(mine, OFFSET, counts, places, type, expected, own, counts[rank], type, root);
        world.Scatterv(mine, OFFSET, counts, places, type, rank == root ? HERE : actual, own, counts[rank], type, root);
        assertThat(actual).as("Scatterv of " + type).isEqualTo(expected);

        expected = data(type, symmetricEnd, rank);
        actual = copy(expected);
        world.Alltoallv(
                copy(expected),
                OFFSET,
                symmetric,
                symmetricPlaces,
                type,
                expected,
                OFFSET,
                symmetric,
                symmetricPlaces,
                type);
        world.Alltoallv(HERE, 0, null, null, type, actual, OFFSET, symmetric, symmetricPlaces, type);
        assertThat(actual).as("Alltoallv of " + type).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6})
    void dataMoveAsFromBuffersOfTheirOwn(int ranks) {
        Ranks.run(ranks, (rank, size) -> {
            for (String name : TYPES) {
                for (int count : new int[] {0, 1, 5, 200}) {
                    move(type(name), count, rank, size);
                }
                moveVarying(type(name), rank, size);
            }
        });
    }

    /** What the ranks up to {@code last} make of the element, in the order of the ranks. */
    private static long composed(Op op, int last, int element) {
        if (op == MPI.SUM) {
            return (last + 1) * (100L * element + 7) + last * (last + 1L) / 2;
        }
        long product = 1;
        for (int each = 0; each <= last; each++) {
            product *= 100L * element + 7 + each;
        }
        return product;
    }

    private static long[] vector(Datatype type, int items, int rank) {
        long[] vector = new long[OFFSET + items * type.Extent()];
        Arrays.setAll(vector, i -> 100L * i + 7 + rank);
        return vector;
    }

    /** The vector of a rank, with what the ranks up to {@code last} make of its items in the place of the first ones. */
    private static long[] reduced(Datatype type, Op op, int items, int rank, int last, int first, int several) {
        long[] vector = vector(type, items, rank);
        for (int item = 0; item < several; item++) {
            for (int element = 0; element < type.Extent(); element += type.Extent() == 1 ? 1 : type.Extent() - 1) {
                vector[OFFSET + item * type.Extent() + element] =
                        composed(op, last, OFFSET + (first + item) * type.Extent() + element);
            }
        }
        return vector;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void reductionsFindTheOperandWhereTheResultGoes(int ranks) {
        Ranks.run(ranks, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            for (Datatype type : new Datatype[] {MPI.LONG, Datatype.Vector(2, 1, 3, MPI.LONG)}) {
                for (Op op : new Op[] {MPI.SUM, MPI.PROD}) {
                    for (int items : new int[] {1, 6, 700}) {
                        String what = items + " " + type + ", " + op;
                        long[] both = vector(type, items, rank);
                        world.Allreduce(HERE, 0, both, OFFSET, items, type, op);
                        assertThat(both).as(what).isEqualTo(reduced(type, op, items, rank, size - 1, 0, items));

                        both = vector(type, items, rank);
                        int root = items % size;
                        if (rank == root) {
                            world.Reduce(HERE, 0, both, OFFSET, items, type, op, root);
                        } else {
                            world.Reduce(both, OFFSET, null, 0, items, type, op, root);
                        }
                        assertThat(both)
                                .as(what)
                                .isEqualTo(reduced(type, op, items, rank, size - 1, 0, rank == root ? items : 0));

                        both = vector(type, items, rank);
                        world.Scan(HERE, 0, both, OFFSET, items, type, op);
                        assertThat(both).as(what).isEqualTo(reduced(type, op, items, rank, rank, 0, items));

                        both = vector(type, items, rank);
                        world.Exscan(HERE, 0, both, OFFSET, items, type, op);
                        assertThat(both)
                                .as("Exscan, " + what)
                                .isEqualTo(reduced(type, op, items, rank, rank - 1, 0, rank == 0 ? 0 : items));

                        long[] mine = vector(type, items, rank);
                        long[] result = vector(type, items, rank);
                        world.Exscan(mine, OFFSET, result, OFFSET, items, type, op);
                        assertThat(result).as("Exscan, " + what).isEqualTo(both);
                        assertThat(mine).isEqualTo(vector(type, items, rank));

                        int[] counts = new int[size];
                        Arrays.fill(counts, items);
                        both = vector(type, items * size, rank);
                        world.Reduce_scatter(HERE, 0, both, OFFSET, counts, type, op);
                        long[] part = reduced(type, op, items * size, rank, size - 1, rank * items, items);
                        int end = OFFSET + items * type.Extent();
                        assertThat(Arrays.copyOf(both, end)).as(what).isEqualTo(Arrays.copyOf(part, end));
                    }
                }
            }
        });
    }

    @Test
    void objectsAreCombinedInPlaceAndBeforeARank() {
        Ranks.run(4, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Op op = new Op(new ReductionsTest.Multiply(), true);
            BigInteger before = BigInteger.ONE;
            BigInteger all = BigInteger.ONE;
            for (int each = 0; each < size; each++) {
                before = each < rank ? before.multiply(BigInteger.valueOf(each + 2)) : before;
                all = all.multiply(BigInteger.valueOf(each + 2));
            }
            Object[] mine = {BigInteger.valueOf(rank + 2)};
            Object[] both = mine.clone();
            world.Exscan(HERE, 0, both, 0, 1, MPI.OBJECT, op);
            assertThat(both[0]).isEqualTo(rank == 0 ? mine[0] : before);
            Object[] result = {"untouched"};
            world.Exscan(mine, 0, result, 0, 1, MPI.OBJECT, op);
            assertThat(result[0]).isEqualTo(rank == 0 ? "untouched" : before);
            both = mine.clone();
            world.Allreduce(HERE, 0, both, 0, 1, MPI.OBJECT, op);
            assertThat(both[0]).isEqualTo(all);
        });
    }

    @Test
    void isRefusedWhereItMeansNothing() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int[] data = new int[4];
            assertThatThrownBy(() -> world.Allgather(data, 0, 2, MPI.INT, HERE, 0, 2, MPI.INT))
                    .isInstanceOfSatisfying(
                            MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.BUFFER))
                    .hasMessageContaining("MPI.IN_PLACE");
            assertThatThrownBy(() -> world.Bcast(HERE, 0, 2, MPI.INT, 0))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("MPI.IN_PLACE");
            assertThatThrownBy(() -> world.Send(HERE, 0, 2, MPI.INT, 0, 0)).isInstanceOf(MPIException.class);
            assertThatThrownBy(() -> world.Gather(HERE, 0, 2, MPI.INT, data, 0, 2, MPI.INT, 1 - rank))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("MPI.IN_PLACE");
            world.Barrier();
        });
    }
}
