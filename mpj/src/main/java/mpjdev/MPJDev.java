package mpjdev;

import mpi.MPI;
import org.jspecify.annotations.Nullable;

/** The way into this package for programs that do not use {@code mpi} themselves. */
public final class MPJDev {
    /** All ranks of the job, from {@link #init} to {@link #finish}. */
    public static @Nullable Comm WORLD;

    private MPJDev() {}

    /**
     * Joins the job, as {@link MPI#Init} does.
     *
     * @return the arguments, without those that a launcher has put in front of them
     */
    public static String[] init(String[] arguments) {
        String[] own = MPI.Init(arguments);
        WORLD = MPI.COMM_WORLD.mpjdevComm;
        return own;
    }

    /** Leaves the job, as {@link MPI#Finalize} does. */
    public static void finish() {
        WORLD = null;
        MPI.Finalize();
    }

    /** Bytes at the beginning of a buffer that a send needs for itself: none. */
    public static int getSendOverhead() {
        return 0;
    }

    /** Bytes at the beginning of a buffer that a receive needs for itself: none. */
    public static int getRecvOverhead() {
        return 0;
    }
}
