package mpi;

import java.util.Objects;
import org.galerna.collectives.Collectives;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * The collective operations of a communicator, carried out in one way: their arguments as the program gives them are
 * checked, and failures say what was called.
 */
final class CollectiveCalls {
    private final Intracomm comm;
    private final Execution how;

    /** Whether calls on plain arrays take the short way. */
    private final boolean plain;

    CollectiveCalls(Intracomm comm, Execution how) {
        this.comm = comm;
        this.how = how;
        this.plain = how == Execution.BLOCKING;
    }

    Request barrier() {
        try {
            comm.checkUsable();
            return how.run(comm, Collectives::barrier, () -> {});
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Barrier"), failure);
        }
    }

    Request bcast(Object buf, int offset, int count, Datatype type, int root) {
        try {
            checkRoot(root);
            if (plain && PlainCollectives.bcast(comm, buf, offset, count, type, root)) {
                return Constants.REQUEST_NULL;
            }
            return Movement.bcast(comm, how, Items.of(buf, offset, count, type), root);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Bcast", count, type, root), failure);
        }
    }

    Request gather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
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
                return Constants.REQUEST_NULL;
            }
            return Movement.gather(
                    comm,
                    how,
                    operand(sendbuf, sendoffset, sendcount, sendtype, root),
                    comm.rank == root ? Items.forEach(comm.size, recvbuf, recvoffset, recvcount, recvtype) : null,
                    false,
                    root);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Gather", sendcount, sendtype, root), failure);
        }
    }

    Request gatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root) {
        try {
            checkRoot(root);
            return Movement.gather(
                    comm,
                    how,
                    operand(sendbuf, sendoffset, sendcount, sendtype, root),
                    comm.rank == root
                            ? Items.forEach(comm.size, recvbuf, recvoffset, recvcount, displs, recvtype)
                            : null,
                    true,
                    root);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Gatherv", sendcount, sendtype, root), failure);
        }
    }

    Request scatter(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
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
                return Constants.REQUEST_NULL;
            }
            return Movement.scatter(
                    comm,
                    how,
                    comm.rank == root ? Items.forEach(comm.size, sendbuf, sendoffset, sendcount, sendtype) : null,
                    operand(recvbuf, recvoffset, recvcount, recvtype, root),
                    false,
                    root);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Scatter", recvcount, recvtype, root), failure);
        }
    }

    Request scatterv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        try {
            checkRoot(root);
            return Movement.scatter(
                    comm,
                    how,
                    comm.rank == root
                            ? Items.forEach(comm.size, sendbuf, sendoffset, sendcount, displs, sendtype)
                            : null,
                    operand(recvbuf, recvoffset, recvcount, recvtype, root),
                    true,
                    root);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Scatterv", recvcount, recvtype, root), failure);
        }
    }

    Request allgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        try {
            comm.checkUsable();
            if (plain
                    && PlainCollectives.allgather(
                            comm, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype)) {
                return Constants.REQUEST_NULL;
            }
            return Movement.allgather(
                    comm,
                    how,
                    Items.orInPlace(sendbuf, sendoffset, sendcount, sendtype),
                    Items.forEach(comm.size, recvbuf, recvoffset, recvcount, recvtype));
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Allgather", sendcount, sendtype), failure);
        }
    }

    Request allgatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        try {
            comm.checkUsable();
            return Movement.allgather(
                    comm,
                    how,
                    Items.orInPlace(sendbuf, sendoffset, sendcount, sendtype),
                    Items.forEach(comm.size, recvbuf, recvoffset, recvcount, displs, recvtype));
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Allgatherv", sendcount, sendtype), failure);
        }
    }

    Request alltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        try {
            comm.checkUsable();
            if (plain
                    && PlainCollectives.alltoall(
                            comm, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype)) {
                return Constants.REQUEST_NULL;
            }
            return Movement.alltoall(
                    comm,
                    how,
                    inPlace(sendbuf) ? null : Items.forEach(comm.size, sendbuf, sendoffset, sendcount, sendtype),
                    Items.forEach(comm.size, recvbuf, recvoffset, recvcount, recvtype));
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Alltoall", sendcount, sendtype), failure);
        }
    }

    Request alltoallv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        try {
            comm.checkUsable();
            return Movement.alltoall(
                    comm,
                    how,
                    inPlace(sendbuf)
                            ? null
                            : Items.forEach(comm.size, sendbuf, sendoffset, sendcount, sdispls, sendtype),
                    Items.forEach(comm.size, recvbuf, recvoffset, recvcount, rdispls, recvtype));
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Alltoallv") + ", items of " + sendtype, failure);
        }
    }

    Request reduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root) {
        try {
            checkRoot(root);
            if (plain
                    && PlainCollectives.reduce(
                            comm, sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, root)) {
                return Constants.REQUEST_NULL;
            }
            return Reducing.reduce(
                    comm,
                    how,
                    operand(sendbuf, sendoffset, count, datatype, root),
                    comm.rank == root ? Items.of(recvbuf, recvoffset, count, datatype) : null,
                    op,
                    root);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Reduce", count, datatype, root) + ", " + op, failure);
        }
    }

    Request allreduce(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op) {
        try {
            comm.checkUsable();
            if (plain
                    && PlainCollectives.allreduce(
                            comm, sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op)) {
                return Constants.REQUEST_NULL;
            }
            return Reducing.allreduce(
                    comm,
                    how,
                    Items.orInPlace(sendbuf, sendoffset, count, datatype),
                    Items.of(recvbuf, recvoffset, count, datatype),
                    op);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Allreduce", count, datatype) + ", " + op, failure);
        }
    }

    Request reduceScatter(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            Datatype datatype,
            Op op) {
        try {
            comm.checkUsable();
            int[] counts = Items.perRank(recvcounts, comm.size, "counts");
            int total = Items.total(counts);
            Items send = Items.orInPlace(sendbuf, sendoffset, total, datatype);
            int room = send == null ? total : counts[comm.rank];
            return Reducing.reduceScatter(comm, how, send, Items.of(recvbuf, recvoffset, room, datatype), counts, op);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Reduce_scatter") + ", items of " + datatype + ", " + op, failure);
        }
    }

    Request scan(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op) {
        try {
            comm.checkUsable();
            if (plain && PlainCollectives.scan(comm, sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op)) {
                return Constants.REQUEST_NULL;
            }
            return Reducing.scan(
                    comm,
                    how,
                    Items.orInPlace(sendbuf, sendoffset, count, datatype),
                    Items.of(recvbuf, recvoffset, count, datatype),
                    op,
                    false);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Scan", count, datatype) + ", " + op, failure);
        }
    }

    Request exscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op) {
        try {
            comm.checkUsable();
            return Reducing.scan(
                    comm,
                    how,
                    Items.orInPlace(sendbuf, sendoffset, count, datatype),
                    Items.of(recvbuf, recvoffset, count, datatype),
                    op,
                    true);
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe("Exscan", count, datatype) + ", " + op, failure);
        }
    }

    // ---- descriptions and checks

    /** The one block of this rank; null if it is already where the blocks of all are, which only the root can say. */
    private @Nullable Items operand(Object buffer, int offset, int count, Datatype type, int root) {
        return comm.rank == root ? Items.orInPlace(buffer, offset, count, type) : Items.of(buffer, offset, count, type);
    }

    private static boolean inPlace(Object buffer) {
        return buffer == Constants.IN_PLACE;
    }

    private void checkRoot(int root) {
        comm.checkUsable();
        if (root < 0 || root >= comm.size) {
            throw Errors.wrong(ErrorClass.ROOT, "there is no rank " + root + "; a root is 0 to " + (comm.size - 1));
        }
    }

    private String describe(String call) {
        return comm.describe(how.name(call));
    }

    private String describe(String call, int count, @Nullable Datatype type) {
        return describe(call) + ", " + count + " items of " + Objects.toString(type);
    }

    private String describe(String call, int count, @Nullable Datatype type, int root) {
        return describe(call, count, type) + ", root " + root;
    }
}
