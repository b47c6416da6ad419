package org.galerna.launch;

import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import org.galerna.launch.rank.ProcessState;

/**
 * What every job is described by, whether its ranks are threads or processes. Everything but the main class has a default.
 *
 * @param <B> the builder itself
 */
public abstract class JobBuilder<B extends JobBuilder<B>> {
    private int ranks = 1;
    private String mainClass = "";
    private List<String> arguments = List.of();
    private boolean labelled;
    private BindTo bindTo;
    private boolean bindingsReported;
    private Duration timeout = Duration.ZERO;
    private Duration deadlockTimeout = ThreadJob.DEADLOCK_TIMEOUT;
    private OutputStream standardOutput = ProcessState.out();
    private OutputStream standardError = ProcessState.err();

    /** A job of one rank, bound to that unless said otherwise. */
    protected JobBuilder(BindTo bindTo) {
        this.bindTo = bindTo;
    }

    /** This builder. */
    protected abstract B self();

    /** The number of ranks, at least 1; 1 unless set. */
    public B ranks(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a job needs at least one rank, not " + number);
        }
        ranks = number;
        return self();
    }

    /** The class with the main method, e.g. {@code org.example.Main}. */
    public B mainClass(String name) {
        mainClass = name;
        return self();
    }

    /** The arguments of the main method, the same for every rank; none unless set. */
    public B arguments(List<String> values) {
        arguments = List.copyOf(values);
        return self();
    }

    /** The device that the ranks communicate through, e.g. {@code smdev}; the fastest possible unless set. */
    public abstract B device(String name);

    /** Whether each line of output begins with its rank; false unless set. */
    public B labelled(boolean on) {
        labelled = on;
        return self();
    }

    /**
     * What the main threads of the ranks are bound to. Unless set {@link BindTo#AUTO} for processes, and {@link BindTo#NONE} for
     * threads, because their JVM may have other things to do. Threads that a rank starts are not bound.
     */
    public B bindTo(BindTo what) {
        bindTo = what;
        return self();
    }

    /** Whether the standard error output begins with a line for each rank that says where it runs; false unless set. */
    public B bindingsReported(boolean on) {
        bindingsReported = on;
        return self();
    }

    /** The longest that the job may take; zero, for no limit, unless set. */
    public B timeout(Duration limit) {
        timeout = limit;
        return self();
    }

    /** For how long nothing must move until the job counts as deadlocked; zero for no such watch. */
    public B deadlockTimeout(Duration patience) {
        deadlockTimeout = patience;
        return self();
    }

    /** Where the standard output of all ranks goes; to that of this JVM unless set. */
    public B standardOutput(OutputStream stream) {
        standardOutput = stream;
        return self();
    }

    /** Where the standard error output of all ranks goes; to that of this JVM unless set. */
    public B standardError(OutputStream stream) {
        standardError = stream;
        return self();
    }

    /**
     * The job, not started yet.
     *
     * @throws IllegalStateException if nothing is said of what is to run
     */
    public abstract Job build();

    /** See {@link #ranks(int)}. */
    public final int ranks() {
        return ranks;
    }

    /** See {@link #mainClass(String)}. */
    public final String mainClass() {
        return mainClass;
    }

    /** See {@link #arguments(List)}. */
    public final List<String> arguments() {
        return arguments;
    }

    /** See {@link #labelled(boolean)}. */
    public final boolean labelled() {
        return labelled;
    }

    /** See {@link #bindTo(BindTo)}. */
    public final BindTo bindTo() {
        return bindTo;
    }

    /** See {@link #bindingsReported(boolean)}. */
    public final boolean bindingsReported() {
        return bindingsReported;
    }

    /** See {@link #timeout(Duration)}. */
    public final Duration timeout() {
        return timeout;
    }

    /** See {@link #deadlockTimeout(Duration)}. */
    public final Duration deadlockTimeout() {
        return deadlockTimeout;
    }

    /** See {@link #standardOutput(OutputStream)}. */
    public final OutputStream standardOutput() {
        return standardOutput;
    }

    /** See {@link #standardError(OutputStream)}. */
    public final OutputStream standardError() {
        return standardError;
    }
}
