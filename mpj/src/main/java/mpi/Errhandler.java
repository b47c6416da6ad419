package mpi;

/**
 * What happens when an MPI call fails: {@link MPI#ERRORS_RETURN}, the default, raises an {@link MPIException};
 * {@link MPI#ERRORS_ARE_FATAL} ends the whole job first.
 */
public class Errhandler {
    /** Kind of {@link MPI#ERRORS_ARE_FATAL}. */
    public static final int FATAL = 1;

    /** Kind of {@link MPI#ERRORS_RETURN}. */
    public static final int RETURN = 0;

    private final boolean fatal;

    /** A handler of the given kind, {@link #FATAL} or {@link #RETURN}. */
    public Errhandler(int kind) {
        this.fatal = kind == FATAL;
    }

    boolean isFatal() {
        return fatal;
    }
}
