package mpi;

import static mpi.PointToPointMatrixTest.TYPES;
import static mpi.PointToPointMatrixTest.buffer;
import static mpi.PointToPointMatrixTest.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without blocking, collectives give what the blocking ones give, which other tests compare with an oracle. */
class NonblockingCollectivesTest {
    private static final int OFFSET = 2;

    private static Object data(Datatype type, int items, int rank) {
        return buffer(type, OFFSET + (items + 1) * Math.max(type.Extent(), type.Ub()), 1 + 1000 * rank);
    }

    private static Object copy(Object array) {
        Object copy = Array.newInstance(array.getClass().getComponentType(), Array.getLength(array));
        System.arraycopy(array, 0, copy, 0, Array.getLength(array));
        return copy;
    }

    /** Starts everything at once, then does the same with blocking calls and compares. */
    private static final class Pairs {
        private final List<Request> requests = new ArrayList<>();
        private final List<Object> results = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private final List<Runnable> blocking = new ArrayList<>();
        private final List<Object> expected = new ArrayList<>();

        void add(String name, Request request, Object result, Object wanted, Runnable call) {
            names.add(name);
            requests.add(request);
            results.add(result);
            expected.add(wanted);
            blocking.add(call);
        }

        void check() {
            blocking.forEach(Runnable::run);
            assertThat(Request.Waitall(requests.toArray(Request[]::new))).hasSize(requests.size());
            for (int each = 0; each < names.size(); each++) {
                assertThat(requests.get(each).Is_null()).isTrue();
                assertThat(results.get(each)).as(names.get(each)).isEqualTo(expected.get(each));
            }
        }
    }

    private static void move(Pairs pairs, Datatype type, int count, int rank, int size) {
        Intracomm world = MPI.COMM_WORLD;
        int root = count % size;
        Object mine = data(type, count * size, rank);
        String what = " of " + count + " " + type;

        Object one = copy(mine);
        Object other = copy(mine);
        pairs.add(
                "Ibcast" + what,
                world.Ibcast(one, OFFSET, count, type, root),
                one,
                other,
                () -> world.Bcast(other, OFFSET, count, type, root));

        Object gathered = data(type, count * size, 50);
        Object gatheredToo = copy(gathered);
        pairs.add(
                "Igather" + what,
                world.Igather(mine, OFFSET, count, type, gathered, OFFSET, count, type, root),
                gathered,
                gatheredToo,
                () -> world.Gather(mine, OFFSET, count, type, gatheredToo, OFFSET, count, type, root));

        Object scattered = data(type, count, 60);
        Object scatteredToo = copy(scattered);
        pairs.add(
                "Iscatter" + what,
                world.Iscatter(mine, OFFSET, count, type, scattered, OFFSET, count, type, root),
                scattered,
                scatteredToo,
                () -> world.Scatter(mine, OFFSET, count, type, scatteredToo, OFFSET, count, type, root));

        Object all = data(type, count * size, 70);
        Object allToo = copy(all);
        pairs.add(
                "Iallgather" + what,
                world.Iallgather(mine, OFFSET, count, type, all, OFFSET, count, type),
                all,
                allToo,
                () -> world.Allgather(mine, OFFSET, count, type, allToo, OFFSET, count, type));

        Object exchanged = data(type, count * size, 80);
        Object exchangedToo = copy(exchanged);
        pairs.add(
                "Ialltoall" + what,
                world.Ialltoall(mine, OFFSET, count, type, exchanged, OFFSET, count, type),
                exchanged,
                exchangedToo,
                () -> world.Alltoall(mine, OFFSET, count, type, exchangedToo, OFFSET, count, type));
        pairs.add("Ibarrier", world.Ibarrier(), new int[0], new int[0], world::Barrier);
    }

    private static void moveVarying(Pairs pairs, Datatype type, int rank, int size) {
        Intracomm world = MPI.COMM_WORLD;
        int[] counts = new int[size];
        int[] places = new int[size];
        int[] symmetric = new int[size];
        int end = 0;
        for (int each = 0; each < size; each++) {
            counts[each] = (each + 1) % 3;
            places[each] = end;
            symmetric[each] = (rank + each) % 3;
            end += 3;
        }
        int items = end;
        Object mine = data(type, items, rank);
        int own = counts[rank];
        String what = " of " + type;

        Object gathered = data(type, items, 50);
        Object gatheredToo = copy(gathered);
        pairs.add(
                "Igatherv" + what,
                world.Igatherv(mine, OFFSET, own, type, gathered, OFFSET, counts, places, type, 0),
                gathered,
                gatheredToo,
                () -> world.Gatherv(mine, OFFSET, own, type, gatheredToo, OFFSET, counts, places, type, 0));

        Object scattered = data(type, items, 60);
        Object scatteredToo = copy(scattered);
        pairs.add(
                "Iscatterv" + what,
                world.Iscatterv(mine, OFFSET, counts, places, type, scattered, OFFSET, own, type, 0),
                scattered,
                scatteredToo,
                () -> world.Scatterv(mine, OFFSET, counts, places, type, scatteredToo, OFFSET, own, type, 0));

        Object all = data(type, items, 70);
        Object allToo = copy(all);
        pairs.add(
                "Iallgatherv" + what,
                world.Iallgatherv(mine, OFFSET, own, type, all, OFFSET, counts, places, type),
                all,
                allToo,
                () -> world.Allgatherv(mine, OFFSET, own, type, allToo, OFFSET, counts, places, type));

        Object exchanged = data(type, items, 80);
        Object exchangedToo = copy(exchanged);
        pairs.add(
                "Ialltoallv" + what,
                world.Ialltoallv(mine, OFFSET, symmetric, places, type, exchanged, OFFSET, symmetric, places, type),
                exchanged,
                exchangedToo,
                () -> world.Alltoallv(
                        mine, OFFSET, symmetric, places, type, exchangedToo, OFFSET, symmetric, places, type));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void movesOfAllTypesAtOnceGiveWhatBlockingOnesGive(int ranks) {
        Ranks.run(ranks, (rank, size) -> {
            Pairs pairs = new Pairs();
            for (String name : TYPES) {
                Datatype type = type(name);
                move(pairs, type, 0, rank, size);
                move(pairs, type, 3, rank, size);
                moveVarying(pairs, type, rank, size);
            }
            move(pairs, MPI.DOUBLE, 5000, rank, size);
            pairs.check();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void reductionsAtOnceGiveWhatBlockingOnesGive(int ranks) {
        Ranks.run(ranks, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Pairs pairs = new Pairs();
            Op ordered = new Op(new Dihedral(), false);
            for (Op op : new Op[] {MPI.SUM, MPI.MAX, ordered}) {
                for (int count : new int[] {0, 1, 5, 3000}) {
                    long[] mine = new long[count * size];
                    Arrays.setAll(mine, i -> (rank + 1L) * (i + 3));
                    long[][] results = new long[10][count * size + 1];
                    int root = count % size;
                    String what = " of " + count + " with " + op;
                    pairs.add(
                            "Ireduce" + what,
                            world.Ireduce(mine, 0, results[0], 0, count, MPI.LONG, op, root),
                            results[0],
                            results[1],
                            () -> world.Reduce(mine, 0, results[1], 0, count, MPI.LONG, op, root));
                    pairs.add(
                            "Iallreduce" + what,
                            world.Iallreduce(mine, 0, results[2], 0, count, MPI.LONG, op),
                            results[2],
                            results[3],
                            () -> world.Allreduce(mine, 0, results[3], 0, count, MPI.LONG, op));
                    pairs.add(
                            "Iscan" + what,
                            world.Iscan(mine, 0, results[4], 0, count, MPI.LONG, op),
                            results[4],
                            results[5],
                            () -> world.Scan(mine, 0, results[5], 0, count, MPI.LONG, op));
                    pairs.add(
                            "Iexscan" + what,
                            world.Iexscan(mine, 0, results[6], 0, count, MPI.LONG, op),
                            results[6],
                            results[7],
                            () -> world.Exscan(mine, 0, results[7], 0, count, MPI.LONG, op));
                    int[] counts = new int[size];
                    Arrays.fill(counts, count);
                    pairs.add(
                            "Ireduce_scatter" + what,
                            world.Ireduce_scatter(mine, 0, results[8], 0, counts, MPI.LONG, op),
                            results[8],
                            results[9],
                            () -> world.Reduce_scatter(mine, 0, results[9], 0, counts, MPI.LONG, op));
                }
            }
            pairs.check();
        });
    }

    /** Words put together, shorter and longer than what travels in one part. */
    static final class Concatenation extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type) {
            Object[] left = (Object[]) in;
            Object[] right = (Object[]) inOut;
            for (int i = 0; i < count; i++) {
                right[inOutOffset + i] = (String) left[inOffset + i] + right[inOutOffset + i];
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void reductionsOfObjectsAtOnceGiveWhatBlockingOnesGive(int ranks) {
        Ranks.run(ranks, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Pairs pairs = new Pairs();
            Op join = new Op(new Concatenation(), false);
            for (int length : new int[] {1, 700}) {
                Object[] mine = new Object[2 * size];
                Arrays.setAll(mine, i -> ("(" + rank + "," + i + ")").repeat(length));
                Object[][] results = new Object[10][2 * size];
                int root = length % size;
                pairs.add(
                        "Ireduce",
                        world.Ireduce(mine, 0, results[0], 0, 2, MPI.OBJECT, join, root),
                        results[0],
                        results[1],
                        () -> world.Reduce(mine, 0, results[1], 0, 2, MPI.OBJECT, join, root));
                pairs.add(
                        "Iallreduce",
                        world.Iallreduce(mine, 0, results[2], 0, 2, MPI.OBJECT, join),
                        results[2],
                        results[3],
                        () -> world.Allreduce(mine, 0, results[3], 0, 2, MPI.OBJECT, join));
                pairs.add(
                        "Iscan",
                        world.Iscan(mine, 0, results[4], 0, 2, MPI.OBJECT, join),
                        results[4],
                        results[5],
                        () -> world.Scan(mine, 0, results[5], 0, 2, MPI.OBJECT, join));
                pairs.add(
                        "Iexscan",
                        world.Iexscan(mine, 0, results[6], 0, 2, MPI.OBJECT, join),
                        results[6],
                        results[7],
                        () -> world.Exscan(mine, 0, results[7], 0, 2, MPI.OBJECT, join));
                int[] counts = new int[size];
                Arrays.fill(counts, 2);
                pairs.add(
                        "Ireduce_scatter",
                        world.Ireduce_scatter(mine, 0, results[8], 0, counts, MPI.OBJECT, join),
                        results[8],
                        results[9],
                        () -> world.Reduce_scatter(mine, 0, results[9], 0, counts, MPI.OBJECT, join));
            }
            pairs.check();
        });
    }

    /** The second part, with the objects, starts without the thread that has called the collective. */
    @Test
    void collectivesOfObjectsGoOnWhileTheRankWaitsForSomethingElse() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Object[] word = {rank == 0 ? "word".repeat(5000) : null};
            Request request = world.Ibcast(word, 0, 1, MPI.OBJECT, 0);
            if (rank == 0) {
                world.Recv(new int[1], 0, 1, MPI.INT, 1, 4); // sent when the other rank has the word
            } else {
                request.Wait();
                assertThat(word[0]).isEqualTo("word".repeat(5000));
                world.Send(new int[1], 0, 1, MPI.INT, 0, 4);
            }
            request.Wait();
        });
    }

    /** The ranks complete them in different orders. */
    @Test
    void collectivesOfObjectsNeverMeetEachOther() {
        long seed = System.nanoTime();
        Ranks.run(4, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Random random = new Random(seed + rank);
            int number = 30;
            Object[][] words = new Object[number][size];
            Request[] requests = new Request[number];
            for (int each = 0; each < number; each++) {
                Object[] mine = {each + " of " + rank + " ".repeat(each * 40)};
                requests[each] = world.Iallgather(mine, 0, 1, MPI.OBJECT, words[each], 0, 1, MPI.OBJECT);
            }
            List<Integer> order = new ArrayList<>();
            for (int each = 0; each < number; each++) {
                order.add(each);
            }
            Collections.shuffle(order, random);
            for (int each : order) {
                requests[each].Wait();
                for (int from = 0; from < size; from++) {
                    assertThat(words[each][from])
                            .as("seed " + seed)
                            .isEqualTo(each + " of " + from + " ".repeat(each * 40));
                }
            }
        });
    }

    /** Associative, but not commutative: a mirror (lowest bit) and a shift (the others), as in a dihedral group. */
    static final class Dihedral extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type) {
            long[] left = (long[]) in;
            long[] right = (long[]) inOut;
            for (int i = 0; i < count; i++) {
                long first = left[inOffset + i];
                long second = right[inOutOffset + i];
                right[inOutOffset + i] = (first & 1) == 0
                        ? first + (second & ~1L) + (second & 1)
                        : first - (second & ~1L) ^ (second & 1);
            }
        }
    }

    @Test
    void requestsMixWithThoseOfMessages() {
        Ranks.run(3, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int[] sum = new int[1];
            int[] got = new int[1];
            Request[] requests = {
                world.Irecv(got, 0, 1, MPI.INT, (rank + 1) % size, 9),
                world.Iallreduce(new int[] {rank + 1}, 0, sum, 0, 1, MPI.INT, MPI.SUM),
                world.Ibarrier(),
                world.Isend(new int[] {rank}, 0, 1, MPI.INT, (rank + 2) % size, 9),
            };
            boolean[] seen = new boolean[4];
            for (int each = 0; each < 4; each++) {
                seen[Request.Waitany(requests).index] = true;
            }
            assertThat(seen).containsOnly(true);
            assertThat(sum[0]).isEqualTo(6);
            assertThat(got[0]).isEqualTo((rank + 1) % size);
            Request barrier = world.Ibarrier();
            while (barrier.Test() == null) {
                Thread.onSpinWait();
            }
            assertThat(barrier.Is_null()).isTrue();
        });
    }

    @Test
    void wrongArgumentsAreNamedAndTheRestGoesOn() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            assertThatThrownBy(() -> world.Iallreduce(new Object[1], 0, new Object[1], 0, 1, MPI.OBJECT, MPI.SUM))
                    .isInstanceOfSatisfying(
                            MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.OP))
                    .hasMessageContaining("Iallreduce on rank " + rank)
                    .hasMessageContaining("objects");
            assertThatThrownBy(() -> world.Igather(new int[1], 0, 1, MPI.INT, new int[2], 0, 1, MPI.INT, 2))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("there is no rank 2");
            int count = 1 + rank;
            Request wrong = world.Ibcast(new int[2], 0, count, MPI.INT, 0);
            if (rank == 1) {
                assertThatThrownBy(wrong::Wait)
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("sends 4 bytes, rank ");
            } else {
                wrong.Wait();
            }
            world.Ibarrier().Wait();
        });
    }
}
