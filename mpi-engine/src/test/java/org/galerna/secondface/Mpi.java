package org.galerna.secondface;

import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.datatype.InPlace;
import org.galerna.mpi.session.Session;

/** The beginning and the end of a rank, and the constants. */
final class Mpi implements AutoCloseable {
    static final int ANY_SOURCE = -1;
    static final int ANY_TAG = -1;
    static final int PROC_NULL = -2;
    static final int UNDEFINED = -32766;
    static final Object IN_PLACE = new InPlace("MPI_IN_PLACE");

    /** All ranks. */
    final Intracomm world;

    private final Session session;

    private Mpi(Session session) {
        this.session = session;
        this.world = new Intracomm(Communicator.world(session));
    }

    /** Joins the job that has been bound to a class loader. */
    static Mpi init(ClassLoader rank) {
        return new Mpi(Session.open(rank));
    }

    /** Gives memory for buffered sends. */
    void attachBuffer(byte[] buffer) {
        session.attachedBuffer().attach(buffer);
    }

    @Override
    public void close() {
        session.close();
    }
}
