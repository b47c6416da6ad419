package org.galerna.harness;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.RankThreads;
import org.jspecify.annotations.Nullable;

/** Jobs for tests. */
public final class Ranks {
    private static final long PATIENCE_SECONDS = 100L * Integer.getInteger(RankThreads.PATIENCE, 1);
    private static final long PATIENCE_AFTER_FAILURE_SECONDS = 10;

    /** As much as a main thread has: deeply nested objects are serialized recursively. */
    private static final long STACK_BYTES = 8 << 20;

    /** Loaders are used again, so that the ranks' code is compiled once; a job that fails gives its own up. */
    private static final List<RankLoader> LOADERS = new ArrayList<>();

    private Ranks() {}

    /** Runs a body as {@code size} ranks between {@code MPI.Init} and {@code MPI.Finalize}. */
    public static void run(int size, RankBody body) {
        start(size, body, true);
    }

    /** Runs a body as {@code size} ranks, without initializing MPI. */
    public static void runBare(int size, RankBody body) {
        start(size, body, false);
    }

    /** Runs a body as {@code size} ranks and expects one to end the job. */
    public static JobAborted runUntilAbort(int size, RankBody body) {
        try {
            run(size, body);
        } catch (JobAborted aborted) {
            return aborted;
        }
        throw new AssertionError("no rank has ended the job");
    }

    private static synchronized void start(int size, RankBody body, boolean initialize) {
        while (LOADERS.size() < size) {
            LOADERS.add(new RankLoader(LOADERS.size()));
        }
        SerializedLambda lambda = lambda(body);
        AtomicReference<@Nullable JobAborted> abortion = new AtomicReference<>();
        List<InProcessWireup> wireups = InProcessWireup.create(size, (rank, status, reason) -> {
            JobAborted aborted = new JobAborted(rank, status, reason);
            abortion.compareAndSet(null, aborted);
            throw aborted;
        });
        BlockingQueue<Result> results = new LinkedBlockingQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            RankLoader loader = LOADERS.get(rank);
            Wireup wireup = wireups.get(rank);
            Thread thread = new Thread(
                    new ThreadGroup("rank-" + rank), // so that a rank can tell its threads from those of others
                    () -> results.add(new Result(wireup.rank(), outcome(loader, wireup, lambda, initialize))),
                    "rank-" + rank,
                    STACK_BYTES);
            thread.setContextClassLoader(loader);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        Throwable failure = collect(results, threads);
        JobAborted aborted = abortion.get();
        if (failure != null || aborted != null) {
            LOADERS.clear();
        }
        if (aborted != null) {
            throw aborted;
        }
        if (failure != null) {
            throw new AssertionError("a rank failed: " + failure, failure);
        }
    }

    private record Result(int rank, @Nullable Throwable failure) {}

    /** The first failure; null if all ranks have ended well. */
    private static @Nullable Throwable collect(BlockingQueue<Result> results, List<Thread> threads) {
        Throwable first = null;
        int firstRank = -1;
        try {
            for (int ended = 0; ended < threads.size(); ended++) {
                Result result = results.poll(
                        first == null ? PATIENCE_SECONDS : PATIENCE_AFTER_FAILURE_SECONDS, TimeUnit.SECONDS);
                if (result == null) {
                    Throwable stuck = stuck(threads);
                    if (first != null) {
                        stuck.addSuppressed(first);
                    }
                    return stuck;
                }
                if (result.failure() != null && first == null) {
                    first = result.failure();
                    firstRank = result.rank();
                } else if (result.failure() != null) {
                    first.addSuppressed(new AssertionError("rank " + result.rank() + " too", result.failure()));
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return interrupted;
        }
        return first == null ? null : new AssertionError("rank " + firstRank + ": " + first, first);
    }

    private static Throwable stuck(List<Thread> threads) {
        AssertionError error = new AssertionError("ranks do not end");
        for (Thread thread : threads) {
            if (thread.isAlive()) {
                Throwable where = new Throwable(thread.getName() + " is here");
                where.setStackTrace(thread.getStackTrace());
                error.addSuppressed(where);
            }
        }
        return error;
    }

    private static @Nullable Throwable outcome(
            RankLoader loader, Wireup wireup, SerializedLambda lambda, boolean initialize) {
        Wireups.bind(loader, wireup);
        Throwable failure = null;
        try {
            Class<?> mpi = Class.forName("mpi.MPI", true, loader);
            if (initialize) {
                mpi.getMethod("Init", String[].class).invoke(null, (Object) new String[0]);
            }
            try {
                invoke(loader, lambda, wireup.rank(), wireup.size());
            } catch (InvocationTargetException thrown) {
                failure = thrown.getCause();
            }
            if ((boolean) mpi.getMethod("Initialized").invoke(null)) {
                mpi.getMethod("Finalize").invoke(null);
            }
        } catch (InvocationTargetException thrown) {
            failure = failure == null ? thrown.getCause() : failure;
        } catch (ReflectiveOperationException wrongHarness) {
            failure = wrongHarness;
        } finally {
            wireup.close();
            Wireups.unbind(loader);
        }
        return failure;
    }

    private static void invoke(RankLoader loader, SerializedLambda lambda, int rank, int size)
            throws ReflectiveOperationException {
        Class<?> test = Class.forName(lambda.getImplClass().replace('/', '.'), true, loader);
        for (Method method : test.getDeclaredMethods()) {
            if (method.getName().equals(lambda.getImplMethodName())) {
                Object[] arguments = new Object[lambda.getCapturedArgCount() + 2];
                for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
                    arguments[i] = lambda.getCapturedArg(i);
                }
                arguments[arguments.length - 2] = rank;
                arguments[arguments.length - 1] = size;
                method.setAccessible(true);
                method.invoke(null, arguments);
                return;
            }
        }
        throw new NoSuchMethodException(
                lambda.getImplMethodName() + " in " + Arrays.toString(test.getDeclaredMethods()));
    }

    private static SerializedLambda lambda(RankBody body) {
        try {
            Method replace = body.getClass().getDeclaredMethod("writeReplace");
            replace.setAccessible(true);
            return (SerializedLambda) replace.invoke(body);
        } catch (ReflectiveOperationException noLambda) {
            throw new IllegalArgumentException("the body of a rank must be a lambda", noLambda);
        }
    }
}
