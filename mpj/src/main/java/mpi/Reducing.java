package mpi;

import org.galerna.collectives.Collectives;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * The collectives that combine items. {@code send} is null for {@link MPI#IN_PLACE}; {@code receive} is null on a rank
 * that gets no result.
 */
final class Reducing {
    private Reducing() {}

    static void reduce(Intracomm comm, @Nullable Items send, @Nullable Items receive, @Nullable Op op, int root) {
        Items operand = operand(send, receive);
        if (operand.areObjects()) {
            ObjectCollectives.reduce(comm, operand, receive, op, root);
            return;
        }
        Reductions.Combination combination = combination(op, operand);
        stage(send, receive);
        comm.collectives()
                .reduce(
                        array(send),
                        start(send),
                        array(receive),
                        start(receive),
                        combination.elements(),
                        combination.reduction(),
                        root);
        if (receive != null) {
            receive.deliver();
        }
    }

    static void allreduce(Intracomm comm, @Nullable Items send, Items receive, @Nullable Op op) {
        if (receive.areObjects()) {
            ObjectCollectives.allreduce(comm, operand(send, receive), receive, op, comm.size);
            return;
        }
        Reductions.Combination combination = combination(op, receive);
        stage(send, receive);
        comm.collectives()
                .allreduce(
                        array(send),
                        start(send),
                        receive.array,
                        receive.start,
                        combination.elements(),
                        combination.reduction());
        receive.deliver();
    }

    /**
     * Scans.
     *
     * @param exclusive whether the items of this rank are left out; then rank 0 keeps its receive buffer as it is
     */
    static void scan(Intracomm comm, @Nullable Items send, Items receive, @Nullable Op op, boolean exclusive) {
        if (receive.areObjects()) {
            ObjectCollectives.allreduce(
                    comm, operand(send, receive), receive, op, exclusive ? comm.rank : comm.rank + 1);
            return;
        }
        Reductions.Combination combination = combination(op, receive);
        stage(send, receive);
        Collectives collectives = comm.collectives();
        int elements = combination.elements();
        if (exclusive) {
            collectives.exscan(
                    array(send), start(send), receive.array, receive.start, elements, combination.reduction());
        } else {
            collectives.scan(array(send), start(send), receive.array, receive.start, elements, combination.reduction());
        }
        if (!exclusive || comm.rank > 0) {
            receive.deliver();
        }
    }

    /**
     * Combines the vectors and gives each rank its part.
     *
     * @param receive room for the part of this rank, or for the whole vector if it is there already
     */
    static void reduceScatter(Intracomm comm, @Nullable Items send, Items receive, int[] counts, @Nullable Op op) {
        Items operand = operand(send, receive);
        if (operand.areObjects()) {
            ObjectCollectives.reduceScatter(comm, operand, receive, counts, op);
            return;
        }
        int[] elements = new int[counts.length];
        for (int rank = 0; rank < elements.length; rank++) {
            elements[rank] = Reductions.of(op, operand.type, counts[rank]).elements();
        }
        stage(send, receive);
        comm.collectives()
                .reduceScatter(
                        array(send),
                        start(send),
                        receive.array,
                        receive.start,
                        elements,
                        combination(op, operand).reduction());
        receive.deliver(counts[comm.rank]);
    }

    private static Reductions.Combination combination(@Nullable Op op, Items vector) {
        return Reductions.of(op, vector.type, vector.count(0));
    }

    /** Memory for both sides; the result never overlaps an operand without being at the very same place. */
    private static void stage(@Nullable Items send, @Nullable Items receive) {
        if (send != null) {
            if (receive != null && send.overlapsElsewhere(receive)) {
                send.outgoingCopy();
            } else {
                send.outgoing();
            }
        }
        if (receive != null) {
            receive.incomingBeside(send);
        }
    }

    /** The items of this rank. */
    private static Items operand(@Nullable Items send, @Nullable Items receive) {
        if (send != null) {
            return send;
        }
        if (receive == null) {
            throw Errors.wrong(ErrorClass.BUFFER, "MPI.IN_PLACE is for ranks that receive the result");
        }
        return receive;
    }

    private static @Nullable Object array(@Nullable Items items) {
        return items == null ? null : items.array;
    }

    private static long start(@Nullable Items items) {
        return items == null ? 0 : items.start;
    }
}
