package org.galerna.mpi.collective;

import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.datatype.Staging;
import org.galerna.mpi.request.Started;
import org.jspecify.annotations.Nullable;

/**
 * The collectives that combine items. {@code send} is null for in place; {@code receive} is null on a rank
 * that gets no result.
 */
final class Reducing {
    private Reducing() {}

    static @Nullable Started reduce(
            Communicator comm,
            Execution how,
            @Nullable Items send,
            @Nullable Items receive,
            @Nullable Operation op,
            int root) {
        Items operand = operand(send, receive);
        if (operand.areObjects()) {
            return how.runObjects(comm, ObjectCollectives.reduce(comm, operand, receive, op, root));
        }
        Reduction reduction = Reductions.of(op, operand.type);
        int elements = Reductions.elements(op, operand.type, operand.count(0));
        Staging staging = comm.session().staging();
        stage(send, receive, op, staging);
        return how.run(
                comm,
                on -> on.reduce(array(send), start(send), array(receive), start(receive), elements, reduction, root),
                () -> {
                    if (receive != null) {
                        receive.deliver();
                    }
                    Movement.giveBack(send, receive, staging);
                });
    }

    static @Nullable Started allreduce(
            Communicator comm, Execution how, @Nullable Items send, Items receive, @Nullable Operation op) {
        if (receive.areObjects()) {
            return how.runObjects(
                    comm, ObjectCollectives.allreduce(comm, operand(send, receive), receive, op, comm.size()));
        }
        Reduction reduction = Reductions.of(op, receive.type);
        int elements = Reductions.elements(op, receive.type, receive.count(0));
        Staging staging = comm.session().staging();
        stage(send, receive, op, staging);
        return how.run(
                comm,
                on -> on.allreduce(array(send), start(send), receive.array, receive.start, elements, reduction),
                () -> {
                    receive.deliver();
                    Movement.giveBack(send, receive, staging);
                });
    }

    /**
     * Scans.
     *
     * @param exclusive whether the items of this rank are left out; then rank 0 keeps its receive buffer as it is
     */
    static @Nullable Started scan(
            Communicator comm,
            Execution how,
            @Nullable Items send,
            Items receive,
            @Nullable Operation op,
            boolean exclusive) {
        if (receive.areObjects()) {
            return how.runObjects(
                    comm,
                    ObjectCollectives.allreduce(
                            comm, operand(send, receive), receive, op, exclusive ? comm.rank() : comm.rank() + 1));
        }
        Reduction reduction = Reductions.of(op, receive.type);
        int elements = Reductions.elements(op, receive.type, receive.count(0));
        Staging staging = comm.session().staging();
        stage(send, receive, op, staging);
        return how.run(
                comm,
                on -> {
                    if (exclusive) {
                        on.exscan(array(send), start(send), receive.array, receive.start, elements, reduction);
                    } else {
                        on.scan(array(send), start(send), receive.array, receive.start, elements, reduction);
                    }
                },
                () -> {
                    if (!exclusive || comm.rank() > 0) {
                        receive.deliver();
                    }
                    Movement.giveBack(send, receive, staging);
                });
    }

    /**
     * Combines the vectors and gives each rank its part.
     *
     * @param receive room for the part of this rank, or for the whole vector if it is there already
     */
    static @Nullable Started reduceScatter(
            Communicator comm,
            Execution how,
            @Nullable Items send,
            Items receive,
            int[] counts,
            @Nullable Operation op) {
        Items operand = operand(send, receive);
        if (operand.areObjects()) {
            return how.runObjects(comm, ObjectCollectives.reduceScatter(comm, operand, receive, counts, op));
        }
        Reduction reduction = Reductions.of(op, operand.type);
        int[] elements = new int[counts.length];
        for (int rank = 0; rank < elements.length; rank++) {
            elements[rank] = Reductions.elements(op, operand.type, counts[rank]);
        }
        Staging staging = comm.session().staging();
        stage(send, receive, op, staging);
        int own = counts[comm.rank()];
        return how.run(
                comm,
                on -> on.reduceScatter(array(send), start(send), receive.array, receive.start, elements, reduction),
                () -> {
                    receive.deliver(own);
                    Movement.giveBack(send, receive, staging);
                });
    }

    /** Memory for both sides; the result never overlaps an operand without being at the very same place. */
    private static void stage(@Nullable Items send, @Nullable Items receive, @Nullable Operation op, Staging staging) {
        boolean arrays = op != null && op.function() != null;
        if (send != null) {
            if (arrays) {
                send.needArray();
            }
            if (receive != null && send.overlapsElsewhere(receive)) {
                send.outgoingCopy(staging);
            } else {
                send.outgoing(staging);
            }
        }
        if (receive != null) {
            if (arrays) {
                receive.needArray();
            }
            receive.incomingBeside(send, staging);
        }
    }

    /** The items of this rank. */
    private static Items operand(@Nullable Items send, @Nullable Items receive) {
        if (send != null) {
            return send;
        }
        if (receive == null) {
            throw new DeviceException(ErrorClass.BUFFER, "MPI.IN_PLACE is for ranks that receive the result");
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
