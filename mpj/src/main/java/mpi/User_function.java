package mpi;

/** An operation of the program's own for reductions; see {@link Op#Op(User_function, boolean)}. */
public abstract class User_function {
    /** For subclasses. */
    public User_function() {}

    /**
     * Combines items: each item of {@code inoutvec} becomes {@code invec (op) inoutvec}, where the items of
     * {@code invec} come from lower ranks. Both are arrays of the datatype's base type; {@code invec} must not be
     * changed. Several ranks may call it at the same time.
     *
     * @param inoffset element at which the items begin in {@code invec}; {@code inoutoffset} likewise
     * @param count number of items
     */
    public abstract void Call(
            Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
            throws MPIException;
}
