package org.galerna.mpi.request;

/**
 * The statuses of an API, which the engine fills in. Sources are ranks in the communicator, or
 * {@link org.galerna.mpi.group.Group#NULL_PROCESS}.
 *
 * @param <S> class of the statuses
 */
public interface Statuses<S> {
    /** Of nothing, such as a send. */
    S empty();

    /** Of a message that has come, or is there to be received. */
    S ofMessage(int source, int tag, long bytes);

    /** Of a message of objects. */
    S ofObjects(int source, int tag, int objects);

    /** Of what was cancelled. */
    S ofCancelled();

    /** The same status, of the request with this index in an array; {@link org.galerna.mpi.group.Group#UNDEFINED} for none. */
    S at(S status, int index);

    /** An array for statuses. */
    S[] array(int length);

    /** What the program sees of the failure of a call that belongs to no communicator. */
    RuntimeException failed(String call, RuntimeException failure);
}
