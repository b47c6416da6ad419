package mpi;

/** The collective operations of a {@link ThreadComm}. */
abstract class ThreadCollectives extends Intracomm {
    ThreadCollectives(String unusable) {
        super(unusable);
    }

    @Override
    abstract Intracomm here();

    @Override
    public void Barrier() throws MPIException {
        here().Barrier();
    }

    @Override
    public void Bcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        here().Bcast(buf, offset, count, type, root);
    }

    @Override
    public void Gather(
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
        here().Gather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
    }

    @Override
    public void Gatherv(
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
        here().Gatherv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcount,
                        displs,
                        recvtype,
                        root);
    }

    @Override
    public void Scatter(
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
        here().Scatter(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
    }

    @Override
    public void Scatterv(
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
        here().Scatterv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        displs,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcount,
                        recvtype,
                        root);
    }

    @Override
    public void Allgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        here().Allgather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    @Override
    public void Allgatherv(
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
        here().Allgatherv(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, displs, recvtype);
    }

    @Override
    public void Alltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        here().Alltoall(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    @Override
    public void Alltoallv(
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
        here().Alltoallv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        sdispls,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcount,
                        rdispls,
                        recvtype);
    }

    @Override
    public void Reduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root)
            throws MPIException {
        here().Reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, root);
    }

    @Override
    public void Allreduce(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        here().Allreduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    @Override
    public void Reduce_scatter(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts, Datatype datatype, Op op)
            throws MPIException {
        here().Reduce_scatter(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, datatype, op);
    }

    @Override
    public void Scan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        here().Scan(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    @Override
    public void Exscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        here().Exscan(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    @Override
    public Request Ibarrier() throws MPIException {
        return here().Ibarrier();
    }

    @Override
    public Request Ibcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        return here().Ibcast(buf, offset, count, type, root);
    }

    @Override
    public Request Igather(
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
        return here().Igather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
    }

    @Override
    public Request Igatherv(
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
        return here().Igatherv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcount,
                        displs,
                        recvtype,
                        root);
    }

    @Override
    public Request Iscatter(
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
        return here().Iscatter(
                        sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
    }

    @Override
    public Request Iscatterv(
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
        return here().Iscatterv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        displs,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcount,
                        recvtype,
                        root);
    }

    @Override
    public Request Iallgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        return here().Iallgather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    @Override
    public Request Iallgatherv(
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
        return here().Iallgatherv(
                        sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, displs, recvtype);
    }

    @Override
    public Request Ialltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        return here().Ialltoall(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    @Override
    public Request Ialltoallv(
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
        return here().Ialltoallv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        sdispls,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcount,
                        rdispls,
                        recvtype);
    }

    @Override
    public Request Ireduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root)
            throws MPIException {
        return here().Ireduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, root);
    }

    @Override
    public Request Iallreduce(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return here().Iallreduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    @Override
    public Request Ireduce_scatter(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts, Datatype datatype, Op op)
            throws MPIException {
        return here().Ireduce_scatter(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, datatype, op);
    }

    @Override
    public Request Iscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return here().Iscan(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    @Override
    public Request Iexscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return here().Iexscan(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }
}
