package mpi;

/** Numbers that classes need while {@link MPI} itself is still being initialized. */
final class Constants {
    static final int ANY_SOURCE = -2;
    static final int ANY_TAG = -2;
    static final int PROC_NULL = -3;
    static final int UNDEFINED = -1;

    private Constants() {}
}
