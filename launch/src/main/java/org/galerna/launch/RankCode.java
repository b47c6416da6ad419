package org.galerna.launch;

import java.util.function.Predicate;

/**
 * What the ranks of a {@link ThreadJob} run instead of a program with classes of its own: code of this JVM, whose classes
 * and static state all ranks use together. Only class {@code mpi.MPI}, behind which the state of a rank is, each rank has
 * for itself too.
 *
 * @param loader the class loader of the code
 * @param owns whether a class of this name is a part of the code: threads that are in it may go on for a rank
 * @param body what each rank runs
 */
public record RankCode(ClassLoader loader, Predicate<String> owns, Body body) {
    /** What a rank runs. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs as the given rank, on its main thread; the rank ends with it.
         *
         * @param own the class loader with the rank's class {@code mpi.MPI}; everything else is that of the code
         */
        void run(int rank, ClassLoader own) throws Throwable;
    }
}
