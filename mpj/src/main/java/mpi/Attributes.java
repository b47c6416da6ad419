package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/** The attributes that every communicator has. */
final class Attributes {
    static final int TAG_UB = 1;
    static final int HOST = 2;
    static final int IO = 3;
    static final int WTIME_IS_GLOBAL = 4;

    private Attributes() {}

    /** Value of one of them; null for another key. */
    static @Nullable Object predefined(int key, Session session) {
        return switch (key) {
            case TAG_UB -> session.largestTag();
            case HOST -> Constants.PROC_NULL;
            case IO -> session.wireup().rank();
            // the clock counts from the start of the host
            case WTIME_IS_GLOBAL -> session.device().hosts().number() == 1 ? 1 : 0;
            default -> null;
        };
    }

    /** Throws an error if the program cannot change what is kept under a key. */
    static void checkChangeable(int key) {
        if (key >= TAG_UB && key <= WTIME_IS_GLOBAL) {
            throw Errors.wrong(ErrorClass.ARG, "attribute " + key + " is predefined and cannot be changed");
        }
    }
}
