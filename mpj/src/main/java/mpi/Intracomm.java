package mpi;

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
public non-sealed class Intracomm extends Comm implements NonblockingCollectives {
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
        return call(inside().describe("Split") + ", color " + color + ", key " + key, () -> {
            Communicator part = Creation.split(inside(), color, key);
            return part == null ? null : derived(new Intracomm(environment(), part));
        });
    }

    @Override
    public Object clone() throws MPIException {
        return call(
                inside().describe("clone"),
                () -> duplicated(new Intracomm(environment(), Creation.duplicate(inside()))));
    }

    /**
     * A communicator of some of the ranks; all ranks of this one have to call it, with the same group.
     *
     * @return null on ranks that are not in the group
     */
    public @Nullable Intracomm Create(Group group) throws MPIException {
        return call(inside().describe("Create"), () -> {
            Communicator part = Creation.create(inside(), Group.inside(group).inside());
            return part == null ? null : derived(new Intracomm(environment(), part));
        });
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
        return call(inside().describe("Create_cart"), () -> {
            inside().checkUsable();
            Grid grid = Grid.of(dims, periods, inside().size());
            Communicator part = Creation.first(inside(), grid.size());
            return part == null ? null : derived(new Cartcomm(environment(), part, grid));
        });
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
        return call(inside().describe("Create_graph"), () -> {
            inside().checkUsable();
            Graphcomm.check(index, edges, inside().size());
            Communicator part = Creation.first(inside(), index.length);
            return part == null ? null : derived(new Graphcomm(environment(), part, index, edges));
        });
    }

    final <C extends Comm> C derived(C communicator) {
        communicator.inheritFrom(here());
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
            throw failed("Reduce_local", Errors.wrong(ErrorClass.OP, "the operation is null"));
        }
        op.Call(inbuf, 0, inoutbuf, 0, count, datatype);
    }

    Request request(@Nullable Started started) {
        return started == null ? Constants.REQUEST_NULL : new Request(inside(), started);
    }
}
