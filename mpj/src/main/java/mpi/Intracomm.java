package mpi;

import org.galerna.collectives.Collectives;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.collective.CollectiveCalls;
import org.galerna.mpi.collective.Execution;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Creation;
import org.galerna.mpi.request.Started;
import org.galerna.mpi.topology.Grid;
import org.jspecify.annotations.Nullable;

/**
 * A communicator within one group, with collective operations: all ranks of the group call them in the same order. One
 * thread of a rank at a time may be in a collective operation of one communicator.
 */
public class Intracomm extends Comm {
    private final CollectiveCalls blocking = new CollectiveCalls(inside, Execution.BLOCKING);
    private final CollectiveCalls nonblocking = new CollectiveCalls(inside, Execution.NONBLOCKING);

    Intracomm(String unusable) {
        super(unusable);
    }

    Intracomm(Environment environment, Communicator inside) {
        super(environment, inside);
    }

    static Intracomm world(Environment environment) {
        return new Intracomm(environment, Communicator.world(environment.session()));
    }

    static Intracomm self(Environment environment) {
        return new Intracomm(environment, Communicator.self(environment.session()));
    }

    /** The calls of collectives that return when they are done. */
    CollectiveCalls blocking() {
        return blocking;
    }

    /** Those that return at once. */
    CollectiveCalls nonblocking() {
        return nonblocking;
    }

    /** The collective operations. */
    final Collectives collectives() {
        return inside.collectives();
    }

    @Override
    final void barrierOfGroup() {
        Barrier();
    }

    /** See {@link Comm#Compare}. */
    public static int Compare(Comm first, Comm second) throws MPIException {
        return Comm.Compare(first, second);
    }

    // ---- communicators from this one

    /**
     * Divides the ranks: those with the same color get a communicator, in the order of their keys and, where those are
     * equal, of their ranks here.
     *
     * @param color from 0, or {@link MPI#UNDEFINED} for none
     * @return null if the color is {@link MPI#UNDEFINED}
     */
    public @Nullable Intracomm Split(int color, int key) throws MPIException {
        try {
            Communicator part = Creation.split(inside, color, key);
            return part == null ? null : derived(new Intracomm(environment(), part));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, describe("Split") + ", color " + color + ", key " + key, failure);
        }
    }

    @Override
    public Object clone() throws MPIException {
        try {
            return duplicated(new Intracomm(environment(), Creation.duplicate(inside)));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, describe("clone"), failure);
        }
    }

    /**
     * A communicator of some of the ranks; all ranks of this one have to call it, with the same group.
     *
     * @return null on ranks that are not in the group
     */
    public @Nullable Intracomm Create(Group group) throws MPIException {
        try {
            Communicator part = Creation.create(inside, Group.inside(group).inside());
            return part == null ? null : derived(new Intracomm(environment(), part));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, describe("Create"), failure);
        }
    }

    /** The spelling that mpiJava 1.2.5 has for {@link #Create}. */
    public @Nullable Intracomm Creat(Group group) throws MPIException {
        return Create(group);
    }

    /**
     * A communicator whose ranks form a grid; the ranks that the grid does not need get none.
     *
     * @param dims number of ranks in each dimension
     * @param periods whether a dimension is closed to a ring
     * @param reorder whether ranks may be numbered anew, which they are not
     * @return null on ranks outside the grid
     */
    public @Nullable Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        try {
            checkUsable();
            Grid grid = Grid.of(dims, periods, size);
            Communicator part = Creation.first(inside, grid.size());
            return part == null ? null : derived(new Cartcomm(environment(), part, grid));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, describe("Create_cart"), failure);
        }
    }

    /**
     * A communicator whose ranks are the nodes of a graph; the ranks that the graph does not need get none.
     *
     * @param index for each node the number of neighbours of it and of all nodes before it
     * @param edges the neighbours of all nodes, one node after the other
     * @param reorder whether ranks may be numbered anew, which they are not
     * @return null on ranks outside the graph
     */
    public @Nullable Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) throws MPIException {
        try {
            checkUsable();
            Graphcomm.check(index, edges, size);
            Communicator part = Creation.first(inside, index.length);
            return part == null ? null : derived(new Graphcomm(environment(), part, index, edges));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, describe("Create_graph"), failure);
        }
    }

    final <C extends Comm> C derived(C communicator) {
        communicator.inheritFrom(this);
        return communicator;
    }

    // ---- collective operations; those who give MPI.IN_PLACE for a buffer have the items where the others' go or come
    // from

    /** Waits until all ranks have called it. */
    public void Barrier() throws MPIException {
        blocking().barrier();
    }

    /** Sends the items in the buffer of {@code root} to the same buffer of the others. */
    public void Bcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        blocking().bcast(buf, offset, count, in(type), root);
    }

    /** Collects items of all ranks on {@code root}, in the order of the ranks; only there is {@code recvbuf} used. */
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
        blocking()
                .gather(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        in(recvtype),
                        root);
    }

    /**
     * Collects different numbers of items on {@code root}; only there are {@code recvbuf} and what follows used.
     *
     * @param recvcount items from each rank
     * @param displs where they go, in extents of {@code recvtype} from {@code recvoffset}
     */
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
        blocking()
                .gatherv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        displs,
                        in(recvtype),
                        root);
    }

    /** Distributes the items of {@code root} to all ranks, in the order of the ranks. */
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
        blocking()
                .scatter(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        in(recvtype),
                        root);
    }

    /**
     * Distributes different numbers of items of {@code root}; only there are the arguments of the send used.
     *
     * @param sendcount items for each rank
     * @param displs where they are, in extents of {@code sendtype} from {@code sendoffset}
     */
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
        blocking()
                .scatterv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        displs,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        in(recvtype),
                        root);
    }

    /** Collects items of all ranks on all ranks, in the order of the ranks. */
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
        blocking()
                .allgather(sendbuf, sendoffset, sendcount, in(sendtype), recvbuf, recvoffset, recvcount, in(recvtype));
    }

    /**
     * Collects different numbers of items on all ranks.
     *
     * @param recvcount items from each rank
     * @param displs where they go, in extents of {@code recvtype} from {@code recvoffset}
     */
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
        blocking()
                .allgatherv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        displs,
                        in(recvtype));
    }

    /** Sends items to each rank and receives as many from each. */
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
        blocking().alltoall(sendbuf, sendoffset, sendcount, in(sendtype), recvbuf, recvoffset, recvcount, in(recvtype));
    }

    /**
     * Sends different numbers of items to each rank and receives from each.
     *
     * @param sendcount items for each rank; {@code recvcount} likewise
     * @param sdispls where they are, in extents of {@code sendtype}; {@code rdispls} likewise
     */
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
        blocking()
                .alltoallv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        sdispls,
                        in(sendtype),
                        recvbuf,
                        recvoffset,
                        recvcount,
                        rdispls,
                        in(recvtype));
    }

    /** Combines the items of all ranks on {@code root}; only there is {@code recvbuf} used. */
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
        blocking().reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype), root);
    }

    /** Combines the items of all ranks on all ranks. */
    public void Allreduce(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        blocking().allreduce(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype));
    }

    /**
     * Combines the items of all ranks and gives each rank its part of the result, in the order of the ranks.
     *
     * @param recvcounts items for each rank, the same on all ranks
     */
    public void Reduce_scatter(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts, Datatype datatype, Op op)
            throws MPIException {
        blocking()
                .reduceScatter(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, in(datatype), Op.on(op, datatype));
    }

    /** Combines the items of the ranks up to this one. */
    public void Scan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        blocking().scan(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype));
    }

    /** Combines the items of the ranks before this one; rank 0 keeps its {@code recvbuf} as it is. */
    public void Exscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        blocking().exscan(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype));
    }

    /** Combines items of this rank alone: {@code inoutbuf} becomes {@code inbuf (op) inoutbuf}, both from element 0. */
    public void Reduce_local(Object inbuf, Object inoutbuf, int count, Datatype datatype, Op op) throws MPIException {
        if (op == null) {
            throw Errors.failed(this, "Reduce_local", Errors.wrong(ErrorClass.OP, "the operation is null"));
        }
        op.Call(inbuf, 0, inoutbuf, 0, count, datatype);
    }

    // ---- collective operations that go on while the rank does something else: any number of them, in the same order
    // on
    // all ranks; buffers belong to the operation until its request is complete, and items are not objects

    /** {@link #Barrier} without blocking. */
    public Request Ibarrier() throws MPIException {
        return request(nonblocking().barrier());
    }

    /** {@link #Bcast} without blocking. */
    public Request Ibcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        return request(nonblocking().bcast(buf, offset, count, in(type), root));
    }

    /** {@link #Gather} without blocking. */
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
        return request(nonblocking()
                .gather(
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

    /** {@link #Gatherv} without blocking. */
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
        return request(nonblocking()
                .gatherv(
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

    /** {@link #Scatter} without blocking. */
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
        return request(nonblocking()
                .scatter(
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

    /** {@link #Scatterv} without blocking. */
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
        return request(nonblocking()
                .scatterv(
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

    /** {@link #Allgather} without blocking. */
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
        return request(nonblocking()
                .allgather(sendbuf, sendoffset, sendcount, in(sendtype), recvbuf, recvoffset, recvcount, in(recvtype)));
    }

    /** {@link #Allgatherv} without blocking. */
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
        return request(nonblocking()
                .allgatherv(
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

    /** {@link #Alltoall} without blocking. */
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
        return request(nonblocking()
                .alltoall(sendbuf, sendoffset, sendcount, in(sendtype), recvbuf, recvoffset, recvcount, in(recvtype)));
    }

    /** {@link #Alltoallv} without blocking. */
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
        return request(nonblocking()
                .alltoallv(
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

    /** {@link #Reduce} without blocking. */
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
        return request(nonblocking()
                .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype), root));
    }

    /** {@link #Allreduce} without blocking. */
    public Request Iallreduce(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return request(nonblocking()
                .allreduce(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype)));
    }

    /** {@link #Reduce_scatter} without blocking. */
    public Request Ireduce_scatter(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts, Datatype datatype, Op op)
            throws MPIException {
        return request(nonblocking()
                .reduceScatter(
                        sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, in(datatype), Op.on(op, datatype)));
    }

    /** {@link #Scan} without blocking. */
    public Request Iscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return request(
                nonblocking().scan(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype)));
    }

    /** {@link #Exscan} without blocking. */
    public Request Iexscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        return request(nonblocking()
                .exscan(sendbuf, sendoffset, recvbuf, recvoffset, count, in(datatype), Op.on(op, datatype)));
    }

    private static org.galerna.mpi.datatype.@Nullable Datatype in(@Nullable Datatype type) {
        return Datatype.inside(type);
    }

    private Request request(@Nullable Started started) {
        return started == null ? Constants.REQUEST_NULL : new Request(here(), started.operation(), started.stage());
    }

    final String describe(String call) {
        return inside.describe(call);
    }
}
