package org.galerna.dist;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.Catalogue;

/**
 * What the ranks of {@link ProcessCollectivesTest} run: every collective by every algorithm, with several datatypes and lengths
 * and every root. What must come out is computed from what all ranks are known to begin with.
 */
public final class CollectivesProgram {
    private static final List<Datatype> TYPES = List.of(MPI.BYTE, MPI.INT, MPI.LONG, MPI.DOUBLE);
    private static final int[] COUNTS = {0, 1, 7, 1000, 20_011};

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.Rank();
    private final int size = world.Size();
    private final Operation operation;
    private final String algorithm;
    private int checks;

    private CollectivesProgram(Operation operation, String algorithm) {
        this.operation = operation;
        this.algorithm = algorithm;
    }

    /** Says {@code N checks of M algorithms} if all is right. */
    public static void main(String[] arguments) {
        int checks = 0;
        int algorithms = 0;
        for (Operation operation : Operation.values()) {
            String property = CollectiveOptions.PREFIX + operation.label();
            for (Algorithm algorithm : Catalogue.algorithms(operation)) {
                System.setProperty(property, algorithm.name());
                MPI.Init(arguments);
                CollectivesProgram program = new CollectivesProgram(operation, algorithm.name());
                program.run();
                checks += program.checks;
                MPI.Finalize();
                algorithms++;
            }
            System.clearProperty(property);
        }
        System.out.println(checks + " checks of " + algorithms + " algorithms");
    }

    private void run() {
        if (operation == Operation.BARRIER) {
            barrier();
            return;
        }
        for (Datatype type : TYPES) {
            for (int count : COUNTS) {
                for (int root = 0; root < size; root++) {
                    rooted(type, count, root);
                }
                all(type, count);
            }
        }
    }

    /** Nobody may be out while somebody is not in: rank by rank, one comes late. */
    private void barrier() {
        long[] mine = new long[1];
        long[] latest = new long[1];
        for (int late = 0; late < size; late++) {
            if (rank == late) {
                // until all others have said that they go in, which they do before
                for (int other = 1; other < size; other++) {
                    world.Recv(mine, 0, 1, MPI.LONG, MPI.ANY_SOURCE, 1);
                }
            } else {
                world.Send(mine, 0, 1, MPI.LONG, late, 1);
            }
            mine[0] = System.nanoTime(); // one clock for all processes of a host
            world.Barrier();
            long out = System.nanoTime();
            world.Allreduce(mine, 0, latest, 0, 1, MPI.LONG, MPI.MAX);
            require(out >= latest[0], "rank " + rank + " has left before the last one came");
        }
    }

    // ---- data: item i of what a rank begins with

    private static long item(int of, int index) {
        return (of * 31L + index * 7L) % 100;
    }

    private static Object array(Datatype type, int length) {
        return type == MPI.BYTE
                ? new byte[length]
                : type == MPI.INT ? new int[length] : type == MPI.LONG ? new long[length] : new double[length];
    }

    private static void set(Object array, int index, long value) {
        switch (array) {
            case byte[] bytes -> bytes[index] = (byte) value;
            case int[] ints -> ints[index] = (int) value;
            case long[] longs -> longs[index] = value;
            default -> ((double[]) array)[index] = value;
        }
    }

    private static long get(Object array, int index) {
        return switch (array) {
            case byte[] bytes -> bytes[index];
            case int[] ints -> ints[index];
            case long[] longs -> longs[index];
            default -> (long) ((double[]) array)[index];
        };
    }

    private Object data(Datatype type, int of, int length) {
        Object data = array(type, length);
        for (int index = 0; index < length; index++) {
            set(data, index, item(of, index));
        }
        return data;
    }

    private void require(boolean right, String wrong) {
        checks++;
        if (!right) {
            throw new AssertionError(operation + " by " + algorithm + " on " + size + " ranks: " + wrong);
        }
    }

    /** Items {@code from} and on of what has come are the first ones of what a rank began with, behind {@code skipped}. */
    private void requireItems(Object came, int from, int of, int skipped, int count) {
        for (int index = 0; index < count; index++) {
            if (get(came, from + index) != item(of, skipped + index)) {
                require(
                        false,
                        "item " + index + " of " + count + " of rank " + of + " came to rank " + rank + " as "
                                + get(came, from + index));
            }
        }
        checks++;
    }

    private void requireSum(Object came, int skipped, int count, int first, int last) {
        for (int index = 0; index < count; index++) {
            int at = index;
            long sum = IntStream.rangeClosed(first, last)
                    .mapToLong(of -> item(of, skipped + at))
                    .sum();
            long expected = came instanceof byte[] ? (byte) sum : sum;
            if (get(came, index) != expected) {
                require(false, "sum " + index + " of " + count + " is " + get(came, index) + ", not " + expected);
            }
        }
        checks++;
    }

    private int[] varying(int count) {
        return IntStream.range(0, size).map(each -> count + each).toArray();
    }

    private static int[] places(int[] counts) {
        int[] places = new int[counts.length];
        for (int each = 1; each < places.length; each++) {
            places[each] = places[each - 1] + counts[each - 1];
        }
        return places;
    }

    private static int sum(int[] counts) {
        return IntStream.of(counts).sum();
    }

    private void rooted(Datatype type, int count, int root) {
        int[] counts = varying(count);
        int[] places = places(counts);
        switch (operation) {
            case BCAST -> {
                Object data = rank == root ? data(type, root, count) : array(type, count);
                world.Bcast(data, 0, count, type, root);
                requireItems(data, 0, root, 0, count);
            }
            case GATHER -> {
                Object all = array(type, rank == root ? count * size : 0);
                world.Gather(data(type, rank, count), 0, count, type, all, 0, count, type, root);
                for (int of = 0; rank == root && of < size; of++) {
                    requireItems(all, of * count, of, 0, count);
                }
            }
            case GATHERV -> {
                Object all = array(type, rank == root ? sum(counts) : 0);
                world.Gatherv(
                        data(type, rank, counts[rank]), 0, counts[rank], type, all, 0, counts, places, type, root);
                for (int of = 0; rank == root && of < size; of++) {
                    requireItems(all, places[of], of, 0, counts[of]);
                }
            }
            case SCATTER -> {
                Object part = array(type, count);
                world.Scatter(data(type, root, count * size), 0, count, type, part, 0, count, type, root);
                requireItems(part, 0, root, rank * count, count);
            }
            case SCATTERV -> {
                Object part = array(type, counts[rank]);
                world.Scatterv(
                        data(type, root, sum(counts)), 0, counts, places, type, part, 0, counts[rank], type, root);
                requireItems(part, 0, root, places[rank], counts[rank]);
            }
            case REDUCE -> {
                Object total = array(type, count);
                world.Reduce(data(type, rank, count), 0, total, 0, count, type, MPI.SUM, root);
                if (rank == root) {
                    requireSum(total, 0, count, 0, size - 1);
                }
            }
            default -> {}
        }
    }

    private void all(Datatype type, int count) {
        int[] counts = varying(count);
        int[] places = places(counts);
        Op sum = MPI.SUM;
        switch (operation) {
            case ALLGATHER -> {
                Object all = array(type, count * size);
                world.Allgather(data(type, rank, count), 0, count, type, all, 0, count, type);
                for (int of = 0; of < size; of++) {
                    requireItems(all, of * count, of, 0, count);
                }
            }
            case ALLGATHERV -> {
                Object all = array(type, sum(counts));
                world.Allgatherv(data(type, rank, counts[rank]), 0, counts[rank], type, all, 0, counts, places, type);
                for (int of = 0; of < size; of++) {
                    requireItems(all, places[of], of, 0, counts[of]);
                }
            }
            case ALLTOALL -> {
                Object all = array(type, count * size);
                world.Alltoall(data(type, rank, count * size), 0, count, type, all, 0, count, type);
                for (int of = 0; of < size; of++) {
                    requireItems(all, of * count, of, rank * count, count);
                }
            }
            case ALLTOALLV -> {
                // to rank r go count + r items from each
                int[] coming = new int[size];
                Arrays.fill(coming, counts[rank]);
                int[] comingTo = places(coming);
                Object all = array(type, sum(coming));
                world.Alltoallv(data(type, rank, sum(counts)), 0, counts, places, type, all, 0, coming, comingTo, type);
                for (int of = 0; of < size; of++) {
                    requireItems(all, comingTo[of], of, places[rank], counts[rank]);
                }
            }
            case ALLREDUCE -> {
                Object total = array(type, count);
                world.Allreduce(data(type, rank, count), 0, total, 0, count, type, sum);
                requireSum(total, 0, count, 0, size - 1);
            }
            case REDUCE_SCATTER -> {
                Object part = array(type, counts[rank]);
                world.Reduce_scatter(data(type, rank, sum(counts)), 0, part, 0, counts, type, sum);
                requireSum(part, places[rank], counts[rank], 0, size - 1);
            }
            case SCAN -> {
                Object total = array(type, count);
                world.Scan(data(type, rank, count), 0, total, 0, count, type, sum);
                requireSum(total, 0, count, 0, rank);
            }
            case EXSCAN -> {
                Object total = array(type, count);
                world.Exscan(data(type, rank, count), 0, total, 0, count, type, sum);
                if (rank > 0) {
                    requireSum(total, 0, count, 0, rank - 1);
                }
                require(Array.getLength(total) == count, "length");
            }
            default -> {}
        }
    }
}
