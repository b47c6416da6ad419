package mpi;

/** Constants that classes need while {@link MPI} itself is still being initialized. */
final class Constants {
    static final int ANY_SOURCE = -2;
    static final int ANY_TAG = -2;
    static final int PROC_NULL = -3;
    static final int UNDEFINED = -1;

    static final Object IN_PLACE = new Object() {
        @Override
        public String toString() {
            return "MPI.IN_PLACE";
        }
    };

    private Constants() {}
}
