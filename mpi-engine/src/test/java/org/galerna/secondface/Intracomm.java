package org.galerna.secondface;

import org.galerna.mpi.collective.CollectiveCalls;
import org.galerna.mpi.collective.Execution;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Creation;
import org.galerna.mpi.request.Started;
import org.jspecify.annotations.Nullable;

/** A communicator within one group, with collective operations. */
final class Intracomm extends Comm {
    private final CollectiveCalls blocking;
    private final CollectiveCalls nonblocking;

    Intracomm(Communicator inside) {
        super(inside);
        this.blocking = new CollectiveCalls(inside, Execution.BLOCKING);
        this.nonblocking = new CollectiveCalls(inside, Execution.NONBLOCKING);
    }

    /** The ranks of one color; null without a color. */
    @Nullable
    Intracomm split(int color, int key) {
        Communicator part = Creation.split(inside, color, key);
        return part == null ? null : new Intracomm(part);
    }

    void bcast(Object buf, int count, Datatype type, int root) throws MpiException {
        blocking.bcast(buf, 0, count, type.inside, root);
    }

    void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MpiException {
        blocking.allreduce(sendbuf, 0, recvbuf, 0, count, type.inside, op.inside());
    }

    Request iBcast(Object buf, int count, Datatype type, int root) throws MpiException {
        Started started = nonblocking.bcast(buf, 0, count, type.inside, root);
        return started == null ? new Request(inside) : new Request(inside, started);
    }
}
