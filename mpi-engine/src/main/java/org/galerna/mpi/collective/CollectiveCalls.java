package org.galerna.mpi.collective;

import org.galerna.collectives.Collectives;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.InPlace;
import org.galerna.mpi.request.Started;
import org.jspecify.annotations.Nullable;

/**
 * The collective operations of a communicator, carried out in one way: their arguments as the program gives them are
 * checked, and failures say what was called. Each returns what is under way, or null if the operation is complete.
 */
public final class CollectiveCalls {
    private final Communicator comm;
    private final Execution how;

    /** Whether calls on plain arrays take the short way. */
    private final boolean plain;

    /** The calls of a communicator. */
    public CollectiveCalls(Communicator comm, Execution how) {
        this.comm = comm;
        this.how = how;
        this.plain = how == Execution.BLOCKING;
    }

    public @Nullable Started barrier() {
        try {
            comm.checkUsable();
            return how.run(comm, Collectives::barrier, () -> {});
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Barrier"), failure);
        }
    }

    public @Nullable Started bcast(Object buf, int offset, int count, @Nullable Datatype type, int root) {
        try {
            checkRoot(root);
            if (plain && PlainCollectives.bcast(comm, buf, offset, count, type, root)) {
                return null;
            }
            return DataMovement.bcast(comm, how, items(buf, offset, count, type), root);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Bcast", count, type, root), failure);
        }
    }

    public @Nullable Started gather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            @Nullable Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            @Nullable Datatype recvtype,
            int root) {
        try {
            checkRoot(root);
            if (plain
                    && PlainCollectives.gather(
                            comm,
                            sendbuf,
                            sendoffset,
                            sendcount,
                            sendtype,
                            recvbuf,
                            recvoffset,
                            recvcount,
                            recvtype,
                            root)) {
                return null;
            }
            return DataMovement.gather(
                    comm,
                    how,
                    operand(sendbuf, sendoffset, sendcount, sendtype, root),
                    comm.rank() == root ? forEach(recvbuf, recvoffset, recvcount, recvtype) : null,
                    false,
                    root);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Gather", sendcount, sendtype, root), failure);
        }
    }

    public @Nullable Started gatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            @Nullable Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            @Nullable Datatype recvtype,
            int root) {
        try {
            checkRoot(root);
            return DataMovement.gather(
                    comm,
                    how,
                    operand(sendbuf, sendoffset, sendcount, sendtype, root),
                    comm.rank() == root ? forEach(recvbuf, recvoffset, recvcount, displs, recvtype) : null,
                    true,
                    root);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Gatherv", sendcount, sendtype, root), failure);
        }
    }

    public @Nullable Started scatter(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            @Nullable Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            @Nullable Datatype recvtype,
            int root) {
        try {
            checkRoot(root);
            if (plain
                    && PlainCollectives.scatter(
                            comm,
                            sendbuf,
                            sendoffset,
                            sendcount,
                            sendtype,
                            recvbuf,
                            recvoffset,
                            recvcount,
                            recvtype,
                            root)) {
                return null;
            }
            return DataMovement.scatter(
                    comm,
                    how,
                    comm.rank() == root ? forEach(sendbuf, sendoffset, sendcount, sendtype) : null,
                    operand(recvbuf, recvoffset, recvcount, recvtype, root),
                    false,
                    root);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Scatter", recvcount, recvtype, root), failure);
        }
    }

    public @Nullable Started scatterv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] displs,
            @Nullable Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            @Nullable Datatype recvtype,
            int root) {
        try {
            checkRoot(root);
            return DataMovement.scatter(
                    comm,
                    how,
                    comm.rank() == root ? forEach(sendbuf, sendoffset, sendcount, displs, sendtype) : null,
                    operand(recvbuf, recvoffset, recvcount, recvtype, root),
                    true,
                    root);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Scatterv", recvcount, recvtype, root), failure);
        }
    }

    public @Nullable Started allgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            @Nullable Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            @Nullable Datatype recvtype) {
        try {
            comm.checkUsable();
            if (plain
                    && PlainCollectives.allgather(
                            comm, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype)) {
                return null;
            }
            return DataMovement.allgather(
                    comm,
                    how,
                    orInPlace(sendbuf, sendoffset, sendcount, sendtype),
                    forEach(recvbuf, recvoffset, recvcount, recvtype));
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Allgather", sendcount, sendtype), failure);
        }
    }

    public @Nullable Started allgatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            @Nullable Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            @Nullable Datatype recvtype) {
        try {
            comm.checkUsable();
            return DataMovement.allgather(
                    comm,
                    how,
                    orInPlace(sendbuf, sendoffset, sendcount, sendtype),
                    forEach(recvbuf, recvoffset, recvcount, displs, recvtype));
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Allgatherv", sendcount, sendtype), failure);
        }
    }

    public @Nullable Started alltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            @Nullable Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            @Nullable Datatype recvtype) {
        try {
            comm.checkUsable();
            if (plain
                    && PlainCollectives.alltoall(
                            comm, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype)) {
                return null;
            }
            return DataMovement.alltoall(
                    comm,
                    how,
                    inPlace(sendbuf) ? null : forEach(sendbuf, sendoffset, sendcount, sendtype),
                    forEach(recvbuf, recvoffset, recvcount, recvtype));
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Alltoall", sendcount, sendtype), failure);
        }
    }

    public @Nullable Started alltoallv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] sdispls,
            @Nullable Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] rdispls,
            @Nullable Datatype recvtype) {
        try {
            comm.checkUsable();
            return DataMovement.alltoall(
                    comm,
                    how,
                    inPlace(sendbuf) ? null : forEach(sendbuf, sendoffset, sendcount, sdispls, sendtype),
                    forEach(recvbuf, recvoffset, recvcount, rdispls, recvtype));
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Alltoallv") + ", items of " + sendtype, failure);
        }
    }

    public @Nullable Started reduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            @Nullable Datatype datatype,
            @Nullable Operation op,
            int root) {
        try {
            checkRoot(root);
            if (plain
                    && PlainCollectives.reduce(
                            comm, sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, root)) {
                return null;
            }
            return Reductions.reduce(
                    comm,
                    how,
                    operand(sendbuf, sendoffset, count, datatype, root),
                    comm.rank() == root ? items(recvbuf, recvoffset, count, datatype) : null,
                    op,
                    root);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Reduce", count, datatype, root) + ", " + op, failure);
        }
    }

    public @Nullable Started allreduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            @Nullable Datatype datatype,
            @Nullable Operation op) {
        try {
            comm.checkUsable();
            if (plain
                    && PlainCollectives.allreduce(
                            comm, sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op)) {
                return null;
            }
            return Reductions.allreduce(
                    comm,
                    how,
                    orInPlace(sendbuf, sendoffset, count, datatype),
                    items(recvbuf, recvoffset, count, datatype),
                    op);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Allreduce", count, datatype) + ", " + op, failure);
        }
    }

    public @Nullable Started reduceScatter(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            @Nullable Datatype datatype,
            @Nullable Operation op) {
        try {
            comm.checkUsable();
            int[] counts = BufferSpec.perRank(recvcounts, comm.size(), "counts");
            int total = BufferSpec.total(counts);
            BufferSpec send = orInPlace(sendbuf, sendoffset, total, datatype);
            int room = send == null ? total : counts[comm.rank()];
            return Reductions.reduceScatter(comm, how, send, items(recvbuf, recvoffset, room, datatype), counts, op);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Reduce_scatter") + ", items of " + datatype + ", " + op, failure);
        }
    }

    public @Nullable Started scan(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            @Nullable Datatype datatype,
            @Nullable Operation op) {
        try {
            comm.checkUsable();
            if (plain && PlainCollectives.scan(comm, sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op)) {
                return null;
            }
            return Reductions.scan(
                    comm,
                    how,
                    orInPlace(sendbuf, sendoffset, count, datatype),
                    items(recvbuf, recvoffset, count, datatype),
                    op);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Scan", count, datatype) + ", " + op, failure);
        }
    }

    public @Nullable Started exscan(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            @Nullable Datatype datatype,
            @Nullable Operation op) {
        try {
            comm.checkUsable();
            return Reductions.exscan(
                    comm,
                    how,
                    orInPlace(sendbuf, sendoffset, count, datatype),
                    items(recvbuf, recvoffset, count, datatype),
                    op);
        } catch (RuntimeException failure) {
            throw comm.failed(describe("Exscan", count, datatype) + ", " + op, failure);
        }
    }

    // ---- descriptions and checks

    private BufferSpec items(Object buffer, int offset, int count, @Nullable Datatype type) {
        return BufferSpec.of(comm.memoryOf(buffer, type), offset, count, type);
    }

    private @Nullable BufferSpec orInPlace(Object buffer, int offset, int count, @Nullable Datatype type) {
        return BufferSpec.orInPlace(comm.memoryOf(buffer, type), offset, count, type);
    }

    private BufferSpec forEach(Object buffer, int offset, int count, @Nullable Datatype type) {
        return BufferSpec.forEach(comm.size(), comm.memoryOf(buffer, type), offset, count, type);
    }

    private BufferSpec forEach(Object buffer, int offset, int[] counts, int[] displacements, @Nullable Datatype type) {
        return BufferSpec.forEach(comm.size(), comm.memoryOf(buffer, type), offset, counts, displacements, type);
    }

    /** The one block of this rank; null if it is already where the blocks of all are, which only the root can say. */
    private @Nullable BufferSpec operand(Object buffer, int offset, int count, @Nullable Datatype type, int root) {
        return comm.rank() == root ? orInPlace(buffer, offset, count, type) : items(buffer, offset, count, type);
    }

    private static boolean inPlace(Object buffer) {
        return buffer instanceof InPlace;
    }

    private void checkRoot(int root) {
        comm.checkUsable();
        if (root < 0 || root >= comm.size()) {
            throw new DeviceException(
                    ErrorClass.ROOT, "there is no rank " + root + "; a root is 0 to " + (comm.size() - 1));
        }
    }

    private String describe(String call) {
        return comm.describe(how.name(call));
    }

    private String describe(String call, int count, @Nullable Datatype type) {
        return describe(call) + ", " + Datatype.items(count, type);
    }

    private String describe(String call, int count, @Nullable Datatype type, int root) {
        return describe(call, count, type) + ", root " + root;
    }
}
