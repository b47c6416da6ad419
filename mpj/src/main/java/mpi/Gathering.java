package mpi;

import java.util.Arrays;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** The collectives that collect items, on one rank or on all; arguments as in {@link Intracomm}. */
final class Gathering {
    private Gathering() {}

    static void gather(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int receiveCount,
            Datatype receiveType,
            int root) {
        boolean atRoot = comm.rank == root;
        if (isOfObjects(sendType, atRoot ? receiveType : null)) {
            int[] counts = atRoot ? equal(comm.size, receiveCount) : null;
            int[] displacements = atRoot ? multiples(comm.size, receiveCount) : null;
            ObjectCollectives.gather(
                    comm,
                    sendBuffer,
                    sendOffset,
                    sendCount,
                    sendType,
                    receiveBuffer,
                    receiveOffset,
                    counts,
                    displacements,
                    receiveType,
                    root);
            return;
        }
        Dense outgoing = Dense.outgoing(sendBuffer, sendOffset, sendCount, sendType);
        long length = (long) sendCount * sendType.itemBytes;
        if (!atRoot) {
            comm.collectives().gather(outgoing.array, outgoing.start, length, null, 0, root);
            return;
        }
        checkEqual(length, receiveCount, receiveType);
        int total = Math.multiplyExact(receiveCount, comm.size);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, total, receiveType);
        comm.collectives().gather(outgoing.array, outgoing.start, length, incoming.array, incoming.start, root);
        incoming.deliver(total);
    }

    static void gatherv(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int[] receiveCounts,
            int[] displacements,
            Datatype receiveType,
            int root) {
        boolean atRoot = comm.rank == root;
        int[] counts = atRoot ? Dense.perRank(receiveCounts, comm.size, "counts") : null;
        int[] places = atRoot ? Dense.perRank(displacements, comm.size, "displacements") : null;
        if (isOfObjects(sendType, atRoot ? receiveType : null)) {
            ObjectCollectives.gather(
                    comm,
                    sendBuffer,
                    sendOffset,
                    sendCount,
                    sendType,
                    receiveBuffer,
                    receiveOffset,
                    counts,
                    places,
                    receiveType,
                    root);
            return;
        }
        Dense outgoing = Dense.outgoing(sendBuffer, sendOffset, sendCount, sendType);
        long length = (long) sendCount * sendType.itemBytes;
        if (counts == null || places == null) {
            comm.collectives().gatherv(outgoing.array, outgoing.start, length, null, 0, null, root);
            return;
        }
        checkEqual(length, counts[root], receiveType);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, counts, places, receiveType);
        Blocks blocks = incoming.blocks(counts, places);
        comm.collectives()
                .gatherv(outgoing.array, outgoing.start, length, incoming.array, incoming.start, blocks, root);
        incoming.deliver(counts, places);
    }

    static void allgather(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int receiveCount,
            Datatype receiveType) {
        if (isOfObjects(sendType, receiveType)) {
            ObjectCollectives.allgather(
                    comm,
                    sendBuffer,
                    sendOffset,
                    sendCount,
                    sendType,
                    receiveBuffer,
                    receiveOffset,
                    equal(comm.size, receiveCount),
                    multiples(comm.size, receiveCount),
                    receiveType);
            return;
        }
        Dense outgoing = Dense.outgoing(sendBuffer, sendOffset, sendCount, sendType);
        long length = (long) sendCount * sendType.itemBytes;
        checkEqual(length, receiveCount, receiveType);
        int total = Math.multiplyExact(receiveCount, comm.size);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, total, receiveType);
        comm.collectives().allgather(outgoing.array, outgoing.start, length, incoming.array, incoming.start);
        incoming.deliver(total);
    }

    static void allgatherv(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int[] receiveCounts,
            int[] displacements,
            Datatype receiveType) {
        int[] counts = Dense.perRank(receiveCounts, comm.size, "counts");
        int[] places = Dense.perRank(displacements, comm.size, "displacements");
        if (isOfObjects(sendType, receiveType)) {
            ObjectCollectives.allgather(
                    comm,
                    sendBuffer,
                    sendOffset,
                    sendCount,
                    sendType,
                    receiveBuffer,
                    receiveOffset,
                    counts,
                    places,
                    receiveType);
            return;
        }
        Dense outgoing = Dense.outgoing(sendBuffer, sendOffset, sendCount, sendType);
        long length = (long) sendCount * sendType.itemBytes;
        checkEqual(length, counts[comm.rank], receiveType);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, counts, places, receiveType);
        Blocks blocks = incoming.blocks(counts, places);
        comm.collectives().allgatherv(outgoing.array, outgoing.start, length, incoming.array, incoming.start, blocks);
        incoming.deliver(counts, places);
    }

    /**
     * Whether a collective is one of objects.
     *
     * @param second type of the other buffer; null if this rank has none
     */
    static boolean isOfObjects(@Nullable Datatype first, @Nullable Datatype second) {
        boolean objects = Datatype.checked(first).isObject();
        if (second != null && second.isObject() != objects) {
            throw Errors.wrong(
                    ErrorClass.TYPE, "objects can only be received as objects, not as " + second + " from " + first);
        }
        return objects;
    }

    /** Checks that what a rank sends to itself is as long as what it receives from itself. */
    static void checkEqual(long length, int receiveCount, @Nullable Datatype receiveType) {
        long received = (long) receiveCount * Datatype.checked(receiveType).itemBytes;
        if (length != received) {
            throw Errors.wrong(
                    ErrorClass.COUNT,
                    "this rank has " + length + " bytes for itself and room for " + received
                            + "; the items sent and received must be as many");
        }
    }

    static int[] equal(int ranks, int count) {
        int[] counts = new int[ranks];
        Arrays.fill(counts, count);
        return counts;
    }

    static int[] multiples(int ranks, int count) {
        int[] displacements = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            displacements[rank] = Math.multiplyExact(rank, count);
        }
        return displacements;
    }
}
