package org.galerna.link.process;

import java.util.List;
import java.util.Set;

/**
 * Which classes are Galerna's own, by their names. Its applications, commands and benchmarks are programs like others, and so
 * are nodes of messaging and fast sockets to ranks.
 */
public final class GalernaClasses {
    /** The packages that programs of ranks call. */
    private static final List<String> API = List.of("mpi.", "mpjdev.", "mpjbuf.", "xdev.", "org.galerna.mpj.");

    /** Everything below. */
    private static final List<String> INSIDE = List.of(
            "org.galerna.memory.",
            "org.galerna.nativeaccess.",
            "org.galerna.link.",
            "org.galerna.device.",
            "org.galerna.collectives.",
            "org.galerna.mpi.",
            "org.galerna.launch.",
            "org.galerna.profile.",
            "org.galerna.ranks.");

    /** Classes with static state that belongs to a rank, or that use those that have. */
    private static final Set<String> PER_RANK =
            Set.of("mpi.MPI", "mpjdev.MPJDev", "org.galerna.mpj.Rehearsal", "org.galerna.mpj.Training");

    private GalernaClasses() {}

    /** Whether this class is of the inside of Galerna, below the packages that programs call. */
    public static boolean isInside(String className) {
        return startsWithAny(className, INSIDE);
    }

    /** Whether this class is in one of the packages of Galerna that programs call, whoever has put it there. */
    public static boolean isApi(String className) {
        return startsWithAny(className, API);
    }

    /** Whether each rank loads this class for itself, from Galerna. */
    public static boolean isPerRank(String className) {
        return PER_RANK.contains(className);
    }

    private static boolean startsWithAny(String className, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (className.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
