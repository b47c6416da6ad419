package org.galerna.mpi.request;

import org.galerna.mpi.comm.Communicator;

/** A request that the call which starts it waits for. */
final class Waited<S> extends BaseRequest<S> {
    private final Statuses<S> statuses;

    Waited(Communicator comm, Statuses<S> statuses) {
        super(comm);
        this.statuses = statuses;
    }

    @Override
    protected Statuses<S> statuses() {
        return statuses;
    }
}
