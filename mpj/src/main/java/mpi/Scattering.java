package mpi;

import org.galerna.collectives.buffer.Blocks;

/** The collectives that distribute items, of one rank or of all; arguments as in {@link Intracomm}. */
final class Scattering {
    private Scattering() {}

    static void scatter(
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
        if (Gathering.isOfObjects(receiveType, atRoot ? sendType : null)) {
            int[] counts = atRoot ? Gathering.equal(comm.size, sendCount) : null;
            int[] displacements = atRoot ? Gathering.multiples(comm.size, sendCount) : null;
            ObjectCollectives.scatter(
                    comm,
                    sendBuffer,
                    sendOffset,
                    counts,
                    displacements,
                    sendType,
                    receiveBuffer,
                    receiveOffset,
                    receiveCount,
                    receiveType,
                    root);
            return;
        }
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, receiveCount, receiveType);
        long length = (long) receiveCount * receiveType.itemBytes;
        if (atRoot) {
            Gathering.checkEqual(length, sendCount, sendType);
            int total = Math.multiplyExact(sendCount, comm.size);
            Dense outgoing = Dense.outgoing(sendBuffer, sendOffset, total, sendType);
            comm.collectives().scatter(outgoing.array, outgoing.start, incoming.array, incoming.start, length, root);
        } else {
            comm.collectives().scatter(null, 0, incoming.array, incoming.start, length, root);
        }
        incoming.deliver(receiveCount);
    }

    static void scatterv(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int[] sendCounts,
            int[] displacements,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int receiveCount,
            Datatype receiveType,
            int root) {
        boolean atRoot = comm.rank == root;
        int[] counts = atRoot ? Dense.perRank(sendCounts, comm.size, "counts") : null;
        int[] places = atRoot ? Dense.perRank(displacements, comm.size, "displacements") : null;
        if (Gathering.isOfObjects(receiveType, atRoot ? sendType : null)) {
            ObjectCollectives.scatter(
                    comm,
                    sendBuffer,
                    sendOffset,
                    counts,
                    places,
                    sendType,
                    receiveBuffer,
                    receiveOffset,
                    receiveCount,
                    receiveType,
                    root);
            return;
        }
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, receiveCount, receiveType);
        long length = (long) receiveCount * receiveType.itemBytes;
        if (counts != null && places != null) {
            Gathering.checkEqual(length, counts[root], sendType);
            Dense outgoing = Dense.outgoing(sendBuffer, sendOffset, counts, places, sendType, false);
            Blocks blocks = outgoing.blocks(counts, places);
            comm.collectives()
                    .scatterv(outgoing.array, outgoing.start, blocks, incoming.array, incoming.start, length, root);
        } else {
            comm.collectives().scatterv(null, 0, null, incoming.array, incoming.start, length, root);
        }
        incoming.deliver(receiveCount);
    }

    static void alltoall(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int receiveCount,
            Datatype receiveType) {
        int size = comm.size;
        if (Gathering.isOfObjects(sendType, receiveType)) {
            ObjectCollectives.alltoall(
                    comm,
                    sendBuffer,
                    sendOffset,
                    Gathering.equal(size, sendCount),
                    Gathering.multiples(size, sendCount),
                    sendType,
                    receiveBuffer,
                    receiveOffset,
                    Gathering.equal(size, receiveCount),
                    Gathering.multiples(size, receiveCount),
                    receiveType);
            return;
        }
        long length = (long) sendCount * sendType.itemBytes;
        Gathering.checkEqual(length, receiveCount, receiveType);
        int total = Math.multiplyExact(sendCount, size);
        Dense outgoing = sendBuffer == receiveBuffer
                ? Dense.copyOf(sendBuffer, sendOffset, total, sendType)
                : Dense.outgoing(sendBuffer, sendOffset, total, sendType);
        int room = Math.multiplyExact(receiveCount, size);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, room, receiveType);
        comm.collectives().alltoall(outgoing.array, outgoing.start, incoming.array, incoming.start, length);
        incoming.deliver(room);
    }

    static void alltoallv(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int[] sendCounts,
            int[] sendDisplacements,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int[] receiveCounts,
            int[] receiveDisplacements,
            Datatype receiveType) {
        int[] outgoingCounts = Dense.perRank(sendCounts, comm.size, "counts to send");
        int[] outgoingPlaces = Dense.perRank(sendDisplacements, comm.size, "displacements to send");
        int[] incomingCounts = Dense.perRank(receiveCounts, comm.size, "counts to receive");
        int[] incomingPlaces = Dense.perRank(receiveDisplacements, comm.size, "displacements to receive");
        if (Gathering.isOfObjects(sendType, receiveType)) {
            ObjectCollectives.alltoall(
                    comm,
                    sendBuffer,
                    sendOffset,
                    outgoingCounts,
                    outgoingPlaces,
                    sendType,
                    receiveBuffer,
                    receiveOffset,
                    incomingCounts,
                    incomingPlaces,
                    receiveType);
            return;
        }
        Gathering.checkEqual(
                (long) outgoingCounts[comm.rank] * sendType.itemBytes, incomingCounts[comm.rank], receiveType);
        Dense outgoing = Dense.outgoing(
                sendBuffer, sendOffset, outgoingCounts, outgoingPlaces, sendType, sendBuffer == receiveBuffer);
        Dense incoming = Dense.incoming(receiveBuffer, receiveOffset, incomingCounts, incomingPlaces, receiveType);
        comm.collectives()
                .alltoallv(
                        outgoing.array,
                        outgoing.start,
                        outgoing.blocks(outgoingCounts, outgoingPlaces),
                        incoming.array,
                        incoming.start,
                        incoming.blocks(incomingCounts, incomingPlaces));
        incoming.deliver(incomingCounts, incomingPlaces);
    }
}
