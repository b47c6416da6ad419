package org.galerna.launch.rank;

import java.io.InputStream;
import java.io.PrintStream;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a job in this JVM, with everything that would be a process's own. Threads know their rank by
 * inheritance.
 */
public final class RankContext {
    private static final InheritableThreadLocal<@Nullable RankContext> CURRENT = new InheritableThreadLocal<>() {
        @Override
        protected @Nullable RankContext childValue(@Nullable RankContext ofParent) {
            // called by the parent when it creates the thread
            startsSomething(ofParent);
            return ofParent;
        }
    };

    private final int rank;
    private final RankJob job;
    private final RankClassLoader loader;
    private final RankThreads threads;
    private final Thread main;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch jobOver = new CountDownLatch(1);
    private volatile boolean ended;

    private volatile InputStream in;
    private final RankStream out;
    private final RankStream err;
    private volatile @Nullable UncaughtExceptionHandler defaultHandler;
    /** Guarded by itself. */
    private final Set<Thread> hooks = new LinkedHashSet<>();

    private final UrlHandlers urlHandlers;
    private final RankLibraries libraries;
    /** By their kind; guarded by itself. */
    private final Map<Class<?>, Object> own = new HashMap<>();

    /**
     * A rank whose main thread is not started yet.
     *
     * @param program what the main thread does
     * @param in what {@code System.in} is to this rank; likewise {@code out} and {@code err}
     */
    public RankContext(
            int rank,
            RankJob job,
            RankClassLoader loader,
            RankTask program,
            InputStream in,
            PrintStream out,
            PrintStream err) {
        this.rank = rank;
        this.job = job;
        this.loader = loader;
        this.in = new PromptingInputStream(in, out);
        this.out = new RankStream(out);
        this.err = new RankStream(err);
        this.urlHandlers = new UrlHandlers(loader);
        this.libraries = new RankLibraries(job.ranks() == 1);
        this.threads = new RankThreads(this);
        this.main = new Thread(threads, () -> run(program), "rank-" + rank, 0, false);
        main.setDaemon(false);
        main.setContextClassLoader(loader);
        loader.belongTo(this);
    }

    /** The rank that the calling thread works for; null if for none, or if its job is over. */
    public static @Nullable RankContext current() {
        // the common pool's threads serve all ranks: what counts is whose code they run
        boolean common = Thread.currentThread() instanceof ForkJoinWorkerThread worker
                && worker.getPool() == ForkJoinPool.commonPool();
        RankContext inherited = common ? null : CURRENT.get();
        if (inherited == null) {
            return fromStack();
        }
        return inherited.isOver() ? null : inherited;
    }

    /**
     * The rank that {@code System.exit} on the calling thread ends, also if its job is over by then: a rank that comes late
     * ends itself, and not the JVM. Null for threads that work for no rank.
     */
    public static @Nullable RankContext exiting() {
        RankContext rank = current();
        return rank == null ? ofThread() : rank;
    }

    /** The rank that has started the calling thread, directly or not, be its job over or not; null if none has. */
    static @Nullable RankContext ofThread() {
        return CURRENT.get();
    }

    /** To be called by a thread that is about to start a process. */
    public static void startsSomething() {
        startsSomething(CURRENT.get());
    }

    private static void startsSomething(@Nullable RankContext rank) {
        if (rank != null && Thread.currentThread() == rank.main) {
            rank.job.startsSomething(rank);
        }
    }

    private static @Nullable RankContext fromStack() {
        return StackWalker.getInstance(
                        Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES))
                .walk(frames -> frames.map(frame -> frame.getDeclaringClass().getClassLoader())
                        .filter(RankClassLoader.class::isInstance)
                        .findFirst())
                .map(found -> ((RankClassLoader) found).context())
                .orElse(null);
    }

    /** True if this is a thread of Galerna itself, which a rank has started without knowing. */
    public static boolean isGalernas(Thread thread) {
        return thread.isDaemon() && thread.getName().startsWith("galerna-");
    }

    /** This rank's number. */
    public int rank() {
        return rank;
    }

    /** The name space of this rank. */
    public RankClassLoader loader() {
        return loader;
    }

    /** The platform threads of this rank that are alive. */
    public List<Thread> threads() {
        return threads.alive();
    }

    /** True from the moment that nothing of this rank is left to wait for. */
    public boolean hasEnded() {
        return ended;
    }

    /** Starts the main thread. */
    public void start() {
        main.start();
    }

    // ---- the main thread

    private void run(RankTask program) {
        CURRENT.set(this);
        job.started(this);
        try {
            program.run(this);
        } catch (Throwable thrown) {
            uncaughtInMain(thrown);
            return;
        }
        if (!program.awaitsThreads() || awaitOtherThreads()) {
            end();
        }
    }

    private void uncaughtInMain(Throwable thrown) {
        if (thrown instanceof RankEnded) {
            return;
        }
        UncaughtExceptionHandler handler = defaultHandler;
        if (handler != null) {
            try {
                handler.uncaughtException(main, thrown);
            } catch (RankEnded over) {
                return;
            } catch (Throwable ofHandler) {
                thrown.addSuppressed(ofHandler);
            }
        }
        job.failed(this, main, thrown);
    }

    /**
     * As a process does, a rank lives until the last of its threads that is not a daemon has ended.
     *
     * @return false if the job is over before that
     */
    private boolean awaitOtherThreads() {
        while (!isOver()) {
            Optional<Thread> other = threads().stream()
                    .filter(thread -> thread != main && !thread.isDaemon())
                    .findAny();
            if (other.isEmpty()) {
                return true;
            }
            try {
                other.get().join();
            } catch (InterruptedException interrupted) {
                // by the end of the job, or by the program, which knew this thread as that of its main method
                Thread.onSpinWait();
            }
        }
        return false;
    }

    // ---- the end

    private void end() {
        if (ending.compareAndSet(false, true)) {
            // an interrupt that the program has not noticed is none of ours
            boolean unused = Thread.interrupted();
            runHooks(null);
            ended = true;
            job.ended(this);
        }
    }

    /**
     * Ends this rank as {@code System.exit} ends a process. Status 0 leaves the other ranks alone, any other ends the
     * job. Does not return.
     *
     * @param status of which the system takes the lowest eight bits, as for a process
     * @param runHooks false for {@code Runtime.halt}
     */
    public void exit(int status, boolean runHooks) {
        if (isOver()) {
            stopHere();
        }
        if (!runHooks) {
            synchronized (hooks) {
                hooks.clear();
            }
        }
        int seen = status & 0xff;
        if (seen == 0) {
            end();
        } else {
            job.exited(this, seen);
        }
        stopHere();
    }

    /** Keeps the calling thread until the job is over, then unwinds it. */
    public void stopHere() {
        boolean over = false;
        while (!over) {
            try {
                jobOver.await();
                over = true;
            } catch (InterruptedException interrupted) {
                // a thread of a process that has exited cannot be interrupted either
                over = isOver();
            }
        }
        throw new RankEnded();
    }

    /**
     * Runs the shutdown hooks of a rank that has not ended, because its job does.
     *
     * @param longest how long to wait for them
     */
    public void shutDown(Duration longest) {
        if (ending.compareAndSet(false, true)) {
            runHooks(longest);
        }
    }

    /**
     * Lets go of the rank, because its job is over: releases the threads that have called {@link #exit} and wakes
     * those that sleep, except some.
     *
     * @param undisturbed threads that must not be interrupted
     */
    public void release(Set<Thread> undisturbed) {
        jobOver.countDown();
        for (Thread thread : threads()) {
            if (!undisturbed.contains(thread)) {
                thread.interrupt();
            }
        }
        loader.release();
        libraries.remove();
    }

    private boolean isOver() {
        return jobOver.getCount() == 0;
    }

    // ---- what belongs to a process

    /** Deals with an exception that has killed a thread other than the main thread. */
    void uncaughtException(Thread thread, Throwable exception) {
        if (exception instanceof RankEnded || isOver()) {
            return;
        }
        UncaughtExceptionHandler handler = defaultHandler;
        if (handler != null) {
            handler.uncaughtException(thread, exception);
        } else {
            job.failed(this, thread, exception);
        }
    }

    /** What {@code System.in} is to this rank. */
    public InputStream in() {
        return in;
    }

    /** What {@code System.out} is to this rank. */
    public RankStream out() {
        return out;
    }

    /** What {@code System.err} is to this rank. */
    public RankStream err() {
        return err;
    }

    /** Replaces {@link #in}. */
    public void setIn(InputStream stream) {
        in = stream;
    }

    /** This rank's default handler of uncaught exceptions; null if it has set none. */
    public @Nullable UncaughtExceptionHandler defaultHandler() {
        return defaultHandler;
    }

    /** Replaces {@link #defaultHandler}. */
    public void setDefaultHandler(@Nullable UncaughtExceptionHandler handler) {
        defaultHandler = handler;
    }

    /** The protocols of URLs that this rank reads by itself. */
    public UrlHandlers urlHandlers() {
        return urlHandlers;
    }

    /** The native libraries of this rank. */
    public RankLibraries libraries() {
        return libraries;
    }

    /** True if no other rank of the job is in this JVM. */
    public boolean isAlone() {
        return job.ranks() == 1;
    }

    /**
     * What this rank has of a kind that the JVM has once, made when it is asked for first. Other threads of the rank wait
     * meanwhile; {@code maker} may ask for others, and not for the same.
     */
    public <T> T own(Class<T> kind, Supplier<? extends T> maker) {
        synchronized (own) {
            Object known = own.get(kind);
            if (known == null) {
                known = maker.get();
                own.put(kind, known);
            }
            return kind.cast(known);
        }
    }

    /** As {@link Runtime#addShutdownHook}, with the same exceptions. */
    public void addHook(Thread hook) {
        synchronized (hooks) {
            if (ending.get()) {
                throw new IllegalStateException("Shutdown in progress");
            }
            if (hook.isAlive()) {
                throw new IllegalArgumentException("Hook already running");
            }
            if (!hooks.add(hook)) {
                throw new IllegalArgumentException("Hook previously registered");
            }
        }
    }

    /** As {@link Runtime#removeShutdownHook}, with the same exceptions. */
    public boolean removeHook(Thread hook) {
        synchronized (hooks) {
            if (ending.get()) {
                throw new IllegalStateException("Shutdown in progress");
            }
            return hooks.remove(hook);
        }
    }

    /** @param longest how long to wait for them; null for as long as they take, which the watch over deadlocks understands */
    private void runHooks(@Nullable Duration longest) {
        List<Thread> toRun;
        synchronized (hooks) {
            toRun = new ArrayList<>(hooks);
            hooks.clear();
        }
        long begun = System.nanoTime();
        toRun.forEach(Thread::start);
        try {
            for (Thread hook : toRun) {
                if (longest == null) {
                    hook.join();
                } else if (!hook.join(longest.minusNanos(System.nanoTime() - begun))) {
                    return;
                }
            }
        } catch (InterruptedException jobIsEnding) {
            Thread.currentThread().interrupt();
        }
    }
}
