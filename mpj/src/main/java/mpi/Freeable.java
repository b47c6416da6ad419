package mpi;

/** What programs may give up before the garbage collector finds it. */
interface Freeable {
    /** Gives the object up; it must not be used afterwards. */
    void free() throws MPIException;
}
