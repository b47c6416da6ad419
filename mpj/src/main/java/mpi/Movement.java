package mpi;

import org.galerna.collectives.Collectives;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * The collectives that bring items from rank to rank. A side is null if the rank has none, because it is not the root,
 * or if it is {@link MPI#IN_PLACE}; {@code varying} says whether each rank may have another number of items.
 */
final class Movement {
    private Movement() {}

    static void bcast(Intracomm comm, Items data, int root) {
        if (data.areObjects()) {
            ObjectCollectives.bcast(comm, data, root);
            return;
        }
        if (comm.rank == root) {
            data.outgoing();
        } else {
            data.incoming();
        }
        comm.collectives().bcast(data.array, data.start, data.length(), root);
        if (comm.rank != root) {
            data.deliver();
        }
    }

    static void gather(Intracomm comm, @Nullable Items send, @Nullable Items receive, boolean varying, int root) {
        if (areObjects(send, receive)) {
            ObjectCollectives.gather(comm, send, receive, root);
            return;
        }
        long length = lengthOfOwn(comm, send, receive);
        Object out = send == null ? null : send.outgoing().array;
        long outStart = send == null ? 0 : send.start;
        Object in = receive == null ? null : receive.incomingBeside(send).array;
        long inStart = receive == null ? 0 : receive.start;
        Collectives collectives = comm.collectives();
        if (varying) {
            collectives.gatherv(out, outStart, length, in, inStart, receive == null ? null : receive.blocks(), root);
        } else {
            collectives.gather(out, outStart, length, in, inStart, root);
        }
        if (receive != null) {
            receive.deliver();
        }
    }

    static void allgather(Intracomm comm, @Nullable Items send, Items receive) {
        if (areObjects(send, receive)) {
            ObjectCollectives.allgather(comm, send, receive);
            return;
        }
        long length = lengthOfOwn(comm, send, receive);
        Object out = send == null ? null : send.outgoing().array;
        long outStart = send == null ? 0 : send.start;
        receive.incomingBeside(send);
        Collectives collectives = comm.collectives();
        if (receive.areVarying()) {
            collectives.allgatherv(out, outStart, length, receive.array, receive.start, receive.blocks());
        } else {
            collectives.allgather(out, outStart, length, receive.array, receive.start);
        }
        receive.deliver();
    }

    static void scatter(Intracomm comm, @Nullable Items send, @Nullable Items receive, boolean varying, int root) {
        if (areObjects(receive, send)) {
            ObjectCollectives.scatter(comm, send, receive, root);
            return;
        }
        long length = lengthOfOwn(comm, receive, send);
        Object out = send == null ? null : send.outgoing().array;
        long outStart = send == null ? 0 : send.start;
        Object in = receive == null ? null : receive.incoming().array;
        long inStart = receive == null ? 0 : receive.start;
        Collectives collectives = comm.collectives();
        if (varying) {
            collectives.scatterv(out, outStart, send == null ? null : send.blocks(), in, inStart, length, root);
        } else {
            collectives.scatter(out, outStart, in, inStart, length, root);
        }
        if (receive != null) {
            receive.deliver();
        }
    }

    static void alltoall(Intracomm comm, @Nullable Items send, Items receive) {
        if (areObjects(send, receive)) {
            ObjectCollectives.alltoall(comm, send == null ? receive : send, receive);
            return;
        }
        if (send != null) {
            checkEqual(send.length(comm.rank), receive.length(comm.rank));
            if (send.buffer == receive.buffer) {
                send.outgoingCopy();
            } else {
                send.outgoing();
            }
        }
        receive.incomingBeside(send);
        Object out = send == null ? null : send.array;
        long outStart = send == null ? 0 : send.start;
        Collectives collectives = comm.collectives();
        if (receive.areVarying()) {
            collectives.alltoallv(
                    out, outStart, send == null ? null : send.blocks(), receive.array, receive.start, receive.blocks());
        } else {
            collectives.alltoall(out, outStart, receive.array, receive.start, receive.length());
        }
        receive.deliver();
    }

    /** Whether a collective is one of objects; at least one side is there. */
    private static boolean areObjects(@Nullable Items one, @Nullable Items other) {
        if (one == null || other == null) {
            Items only = one == null ? other : one;
            return only != null && only.areObjects();
        }
        if (one.areObjects() != other.areObjects()) {
            throw Errors.wrong(
                    ErrorClass.TYPE,
                    "objects can only be received as objects, but the types are " + one.type + " and " + other.type);
        }
        return one.areObjects();
    }

    /**
     * Bytes of the block of this rank, which must be the same on both sides where it has both.
     *
     * @param one the side with one block
     * @param all the side with a block of each rank
     */
    private static long lengthOfOwn(Intracomm comm, @Nullable Items one, @Nullable Items all) {
        if (one != null && all != null) {
            checkEqual(one.length(), all.length(comm.rank));
        }
        return one != null ? one.length() : all != null ? all.length(comm.rank) : 0;
    }

    private static void checkEqual(long sent, long received) {
        if (sent != received) {
            throw Errors.wrong(
                    ErrorClass.COUNT,
                    "this rank has " + sent + " bytes for itself and room for " + received
                            + "; the items sent and received must be as many");
        }
    }
}
