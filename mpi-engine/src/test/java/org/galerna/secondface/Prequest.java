package org.galerna.secondface;

import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.request.PersistentMessage;

/** A communication that is started again and again. */
final class Prequest extends Request {
    private final PersistentMessage message;

    Prequest(Communicator comm, PersistentMessage message) {
        super(comm);
        this.message = message;
    }

    void start() throws MpiException {
        message.start(this, "start");
    }
}
