package org.galerna.secondface;

import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.request.BaseRequest;
import org.galerna.mpi.request.CompletionSet;
import org.galerna.mpi.request.Started;
import org.galerna.mpi.request.Statuses;
import org.jspecify.annotations.Nullable;

/** A communication that has been started. */
class Request extends BaseRequest<Status> {
    private static final CompletionSet<Status> SETS = new CompletionSet<>(Status.KINDS);

    Request(Communicator comm) {
        super(comm);
    }

    Request(Communicator comm, Started started) {
        super(comm, started);
    }

    @Override
    protected Statuses<Status> statuses() {
        return Status.KINDS;
    }

    final void waitFor() throws MpiException {
        Status unused = waitStatus();
    }

    final Status waitStatus() throws MpiException {
        return await("waitStatus");
    }

    final @Nullable Status testStatus() throws MpiException {
        return test("testStatus");
    }

    final void cancel() throws MpiException {
        cancel("cancel");
    }

    static Status[] waitAllStatus(Request[] requests) throws MpiException {
        return SETS.awaitAll(requests, "waitAllStatus");
    }

    static Status waitAnyStatus(Request[] requests) throws MpiException {
        return SETS.awaitAny(requests, "waitAnyStatus");
    }
}
