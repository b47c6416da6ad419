package mpi;

import org.galerna.mpi.comm.Face;
import org.jspecify.annotations.Nullable;

/** What this API adds to a communicator of the engine. */
final class MpiFace implements Face {
    private final BaseComm comm;

    MpiFace(BaseComm comm) {
        this.comm = comm;
    }

    @Override
    public RuntimeException failed(String call, RuntimeException failure) {
        return Errors.failed(comm, call, failure);
    }

    @Override
    public String nameOf(Word word) {
        return switch (word) {
            case NULL_PROCESS -> "MPI.PROC_NULL";
            case ATTACH -> "MPI.Buffer_attach";
            default -> "MPI." + word;
        };
    }

    @Override
    public Object memoryOf(Object buffer, org.galerna.mpi.datatype.@Nullable Datatype type) {
        return Memory.unwrapped(buffer, type);
    }
}
