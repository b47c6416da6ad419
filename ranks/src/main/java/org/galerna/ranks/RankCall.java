package org.galerna.ranks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import mpi.Environment;
import mpi.Intracomm;
import mpi.MPI;
import org.galerna.launch.RankCode;
import org.jspecify.annotations.Nullable;

/**
 * One call of a function by all ranks, and what has come of it. Results are written by the ranks' threads before they end
 * and read by the thread that has waited for their ends.
 */
final class RankCall<T extends @Nullable Object> implements RankCode.Body {
    private final RankFunction<T> function;
    private final ClassLoader loader;
    private final Class<?> mpi;
    private final @Nullable ClassLoader contextLoader = Thread.currentThread().getContextClassLoader();
    private final @Nullable Object[] values;
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

    /** That the function has thrown. */
    record Failure(int rank, Throwable thrown) {}

    /**
     * A call that has not begun.
     *
     * @param code the object that the caller has given, whose class tells what is a part of the code
     */
    RankCall(int ranks, RankFunction<T> function, Object code) {
        this.function = function;
        this.values = new @Nullable Object[ranks];
        ClassLoader ofCode = code.getClass().getClassLoader();
        this.loader = ofCode == null ? RankCall.class.getClassLoader() : ofCode;
        this.mpi = mpiOf(loader);
    }

    /** A body as a function. */
    static RankFunction<@Nullable Void> of(RankBody body) {
        return world -> {
            body.run(world);
            return null;
        };
    }

    /** The class that the code means by {@code MPI}. */
    private static Class<?> mpiOf(ClassLoader loader) {
        try {
            return Class.forName(MPI.class.getName(), true, loader);
        } catch (ClassNotFoundException unused) {
            return MPI.class;
        }
    }

    /** As a launcher takes it. */
    RankCode asCode(Object code) {
        String own = code.getClass().getPackageName();
        String[] parts = own.split("\\.", -1);
        // com.acme of com.acme.solver.SolverTest: what belongs together usually begins with the same two words
        String prefix = own.isEmpty() ? "" : parts[0] + "." + (parts.length > 1 ? parts[1] + "." : "");
        return new RankCode(loader, name -> prefix.isEmpty() ? name.indexOf('.') < 0 : name.startsWith(prefix), this);
    }

    @Override
    public void run(int rank, ClassLoader own) throws Throwable {
        Thread.currentThread().setContextClassLoader(contextLoader);
        Environment environment = Environment.of(Class.forName(MPI.class.getName(), true, own));
        boolean done = false;
        try {
            Intracomm world = environment.enter(mpi);
            values[rank] = function.call(world);
            done = true;
        } catch (Throwable thrown) {
            failures.add(new Failure(rank, thrown));
            throw thrown;
        } finally {
            if (!done) {
                // it has not left in order: the others must not take it for one that has
                environment.abandon();
            }
        }
        environment.leave();
    }

    /** The results by rank. */
    @SuppressWarnings("unchecked") // what call has returned
    List<T> values() {
        return Collections.unmodifiableList((List<T>) new ArrayList<>(Arrays.asList(values)));
    }

    /** What the function has thrown, in the order of the time. */
    List<Failure> failures() {
        return List.copyOf(failures);
    }
}
