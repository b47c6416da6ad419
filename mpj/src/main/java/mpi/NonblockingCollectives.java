package mpi;

import org.galerna.mpi.collective.CollectiveCalls;
import org.galerna.mpi.request.Started;
import org.jspecify.annotations.Nullable;

/**
 * Collective operations that go on while the rank does something else: any number of them, in the same order on all ranks.
 * Buffers belong to the operation until its request is complete.
 */
public sealed interface NonblockingCollectives permits Intracomm {
    /** {@link Intracomm#Barrier} without blocking. */
    default Request Ibarrier() throws MPIException {
        return request(calls().barrier());
    }

    /** {@link Intracomm#Bcast} without blocking. */
    default Request Ibcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        return request(calls().bcast(buf, offset, count, in(type), root));
    }

    /** {@link Intracomm#Gather} without blocking. */
    default Request Igather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return request(calls().gather(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        in(recvtype),
                        root));
    }

    /** {@link Intracomm#Gatherv} without blocking. */
    default Request Igatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        return request(calls().gatherv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        displs,
                        in(recvtype),
                        root));
    }

    /** {@link Intracomm#Scatter} without blocking. */
    default Request Iscatter(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return request(calls().scatter(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        in(recvtype),
                        root));
    }

    /** {@link Intracomm#Scatterv} without blocking. */
    default Request Iscatterv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return request(calls().scatterv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        displs,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        in(recvtype),
                        root));
    }

    /** {@link Intracomm#Allgather} without blocking. */
    default Request Iallgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        return request(calls().allgather(
                        sendbuf, sendoffset, sendcount, in(sendtype), recvbuf, recvoffset, recvcount, in(recvtype)));
    }

    /** {@link Intracomm#Allgatherv} without blocking. */
    default Request Iallgatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        return request(calls().allgatherv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        displs,
                        in(recvtype)));
    }

    /** {@link Intracomm#Alltoall} without blocking. */
    default Request Ialltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        return request(calls().alltoall(
                        sendbuf, sendoffset, sendcount, in(sendtype), recvbuf, recvoffset, recvcount, in(recvtype)));
    }

    /** {@link Intracomm#Alltoallv} without blocking. */
    default Request Ialltoallv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        return request(calls().alltoallv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        sdispls,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        rdispls,
                        in(recvtype)));
    }

    /** {@link Intracomm#Reduce} without blocking. */
    default Request Ireduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root)
            throws MPIException {
        return request(calls().reduce(
                        sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype), root));
    }

    /** {@link Intracomm#Allreduce} without blocking. */
    default Request Iallreduce(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return request(
                calls().allreduce(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype)));
    }

    /** {@link Intracomm#Reduce_scatter} without blocking. */
    default Request Ireduce_scatter(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts, Datatype datatype, Op op)
            throws MPIException {
        return request(calls().reduceScatter(
                        sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, in(datatype), Op.on(op, datatype)));
    }

    /** {@link Intracomm#Scan} without blocking. */
    default Request Iscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return request(
                calls().scan(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype)));
    }

    /** {@link Intracomm#Exscan} without blocking. */
    default Request Iexscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return request(
                calls().exscan(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype)));
    }

    private CollectiveCalls calls() {
        return ((Intracomm) this).nonblocking();
    }

    private Request request(@Nullable Started started) {
        return ((Intracomm) this).request(started);
    }

    private static org.galerna.mpi.datatype.@Nullable Datatype in(@Nullable Datatype type) {
        return Datatype.inside(type);
    }
}
