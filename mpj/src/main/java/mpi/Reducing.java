package mpi;

import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** The collectives that combine items; arguments as in {@link Intracomm}. */
final class Reducing {
    private Reducing() {}

    static void reduce(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            Object receiveBuffer,
            int receiveOffset,
            int count,
            Datatype type,
            @Nullable Op op,
            int root) {
        boolean atRoot = comm.rank == root;
        if (Datatype.checked(type).isObject()) {
            ObjectCollectives.reduce(comm, sendBuffer, sendOffset, receiveBuffer, receiveOffset, count, type, op, root);
            return;
        }
        Reductions.Combination combination = Reductions.of(op, type, checkedCount(count));
        Dense outgoing = outgoing(sendBuffer, sendOffset, atRoot ? receiveBuffer : null, receiveOffset, count, type);
        if (!atRoot) {
            comm.collectives()
                    .reduce(
                            outgoing.array,
                            outgoing.start,
                            null,
                            0,
                            combination.elements(),
                            combination.reduction(),
                            root);
            return;
        }
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, count, type);
        comm.collectives()
                .reduce(
                        outgoing.array,
                        outgoing.start,
                        incoming.array,
                        incoming.start,
                        combination.elements(),
                        combination.reduction(),
                        root);
        incoming.deliver(count);
    }

    static void allreduce(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            Object receiveBuffer,
            int receiveOffset,
            int count,
            Datatype type,
            @Nullable Op op) {
        if (Datatype.checked(type).isObject()) {
            ObjectCollectives.allreduce(
                    comm, sendBuffer, sendOffset, receiveBuffer, receiveOffset, count, type, op, comm.size);
            return;
        }
        Reductions.Combination combination = Reductions.of(op, type, checkedCount(count));
        Dense outgoing = outgoing(sendBuffer, sendOffset, receiveBuffer, receiveOffset, count, type);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, count, type);
        comm.collectives()
                .allreduce(
                        outgoing.array,
                        outgoing.start,
                        incoming.array,
                        incoming.start,
                        combination.elements(),
                        combination.reduction());
        incoming.deliver(count);
    }

    static void reduceScatter(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            Object receiveBuffer,
            int receiveOffset,
            int[] receiveCounts,
            Datatype type,
            @Nullable Op op) {
        int[] counts = Dense.perRank(receiveCounts, comm.size, "counts");
        for (int count : counts) {
            checkedCount(count);
        }
        int own = counts[comm.rank];
        int total = Dense.total(counts);
        if (Datatype.checked(type).isObject()) {
            ObjectCollectives.reduceScatter(
                    comm, sendBuffer, sendOffset, receiveBuffer, receiveOffset, counts, type, op);
            return;
        }
        int[] elements = new int[counts.length];
        for (int rank = 0; rank < elements.length; rank++) {
            elements[rank] = Reductions.of(op, type, counts[rank]).elements();
        }
        Dense outgoing = outgoing(sendBuffer, sendOffset, receiveBuffer, receiveOffset, total, type);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, own, type);
        comm.collectives()
                .reduceScatter(
                        outgoing.array,
                        outgoing.start,
                        incoming.array,
                        incoming.start,
                        elements,
                        Reductions.of(op, type, total).reduction());
        incoming.deliver(own);
    }

    static void scan(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            Object receiveBuffer,
            int receiveOffset,
            int count,
            Datatype type,
            @Nullable Op op) {
        if (Datatype.checked(type).isObject()) {
            ObjectCollectives.allreduce(
                    comm, sendBuffer, sendOffset, receiveBuffer, receiveOffset, count, type, op, comm.rank + 1);
            return;
        }
        Reductions.Combination combination = Reductions.of(op, type, checkedCount(count));
        Dense outgoing = outgoing(sendBuffer, sendOffset, receiveBuffer, receiveOffset, count, type);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, count, type);
        comm.collectives()
                .scan(
                        outgoing.array,
                        outgoing.start,
                        incoming.array,
                        incoming.start,
                        combination.elements(),
                        combination.reduction());
        incoming.deliver(count);
    }

    /** The vector of this rank; a copy if it may overlap the result without being at the very same place. */
    private static Dense outgoing(
            Object sendBuffer,
            int sendOffset,
            @Nullable Object receiveBuffer,
            int receiveOffset,
            int count,
            Datatype type) {
        return sendBuffer == receiveBuffer && sendOffset != receiveOffset
                ? Dense.copyOf(sendBuffer, sendOffset, count, type)
                : Dense.outgoing(sendBuffer, sendOffset, count, type);
    }

    private static int checkedCount(int count) {
        if (count < 0) {
            throw Errors.wrong(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        return count;
    }
}
