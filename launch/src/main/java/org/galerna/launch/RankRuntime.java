package org.galerna.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.List;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * What the code of ranks calls where its source says {@code System.exit} and the like: the same, for the calling rank
 * alone. Not meant to be called by hand. Threads that work for no rank get the original.
 */
public final class RankRuntime {
    private RankRuntime() {}

    /** For {@link System#exit}. */
    public static void exit(int status) {
        exit(Runtime.getRuntime(), status);
    }

    /** For {@link Runtime#exit}. */
    public static void exit(Runtime runtime, int status) {
        RankContext rank = RankContext.exiting();
        if (rank == null) {
            runtime.exit(status);
        } else {
            rank.exit(status, true);
        }
    }

    /** For {@link Runtime#halt}. */
    public static void halt(Runtime runtime, int status) {
        RankContext rank = RankContext.exiting();
        if (rank == null) {
            runtime.halt(status);
        } else {
            rank.exit(status, false);
        }
    }

    /** For {@link Runtime#addShutdownHook}: the hook runs at the end of the rank. */
    public static void addShutdownHook(Runtime runtime, Thread hook) {
        RankContext rank = RankContext.current();
        if (rank == null) {
            runtime.addShutdownHook(hook);
        } else {
            rank.addHook(hook);
        }
    }

    /** For {@link Runtime#removeShutdownHook}. */
    public static boolean removeShutdownHook(Runtime runtime, Thread hook) {
        RankContext rank = RankContext.current();
        return rank == null ? runtime.removeShutdownHook(hook) : rank.removeHook(hook);
    }

    /** For {@link System#in}. */
    public static InputStream in() {
        RankContext rank = RankContext.current();
        return rank == null ? System.in : rank.in();
    }

    /** For {@link System#out}. */
    public static PrintStream out() {
        RankContext rank = RankContext.current();
        return rank == null ? System.out : rank.out().current();
    }

    /** For {@link System#err}. */
    public static PrintStream err() {
        RankContext rank = RankContext.current();
        return rank == null ? System.err : rank.err().current();
    }

    /** For {@link System#setIn}. */
    public static void setIn(InputStream stream) {
        RankContext rank = RankContext.current();
        if (rank == null) {
            System.setIn(stream);
        } else {
            rank.setIn(stream);
        }
    }

    /** For {@link System#setOut}. */
    public static void setOut(PrintStream stream) {
        RankContext rank = RankContext.current();
        if (rank == null) {
            System.setOut(stream);
        } else {
            rank.out().replace(stream);
        }
    }

    /** For {@link System#setErr}. */
    public static void setErr(PrintStream stream) {
        RankContext rank = RankContext.current();
        if (rank == null) {
            System.setErr(stream);
        } else {
            rank.err().replace(stream);
        }
    }

    /** For {@link Thread#setDefaultUncaughtExceptionHandler}. */
    public static void setDefaultUncaughtExceptionHandler(@Nullable UncaughtExceptionHandler handler) {
        RankContext rank = RankContext.current();
        if (rank == null) {
            Thread.setDefaultUncaughtExceptionHandler(handler);
        } else {
            rank.setDefaultHandler(handler);
        }
    }

    /** For {@link Thread#getDefaultUncaughtExceptionHandler}. */
    public static @Nullable UncaughtExceptionHandler getDefaultUncaughtExceptionHandler() {
        RankContext rank = RankContext.current();
        return rank == null ? Thread.getDefaultUncaughtExceptionHandler() : rank.defaultHandler();
    }

    /** For {@link ProcessBuilder#start}: processes, like threads, do not inherit what the rank is bound to. */
    public static Process start(ProcessBuilder builder) throws IOException {
        RankContext.startsSomething();
        return builder.start();
    }

    /** For {@link ProcessBuilder#startPipeline}. */
    public static List<Process> startPipeline(List<ProcessBuilder> builders) throws IOException {
        RankContext.startsSomething();
        return ProcessBuilder.startPipeline(builders);
    }

    /** For {@link Runtime#exec(String)}. */
    @SuppressWarnings("deprecation") // programs use it
    public static Process exec(Runtime runtime, String command) throws IOException {
        RankContext.startsSomething();
        return runtime.exec(command);
    }

    /** For {@link Runtime#exec(String, String[])}. */
    @SuppressWarnings("deprecation") // programs use it
    public static Process exec(Runtime runtime, String command, String @Nullable [] environment) throws IOException {
        RankContext.startsSomething();
        return runtime.exec(command, environment);
    }

    /** For {@link Runtime#exec(String, String[], File)}. */
    @SuppressWarnings("deprecation") // programs use it
    public static Process exec(Runtime runtime, String command, String @Nullable [] environment, @Nullable File folder)
            throws IOException {
        RankContext.startsSomething();
        return runtime.exec(command, environment, folder);
    }

    /** For {@link Runtime#exec(String[])}. */
    public static Process exec(Runtime runtime, String[] command) throws IOException {
        RankContext.startsSomething();
        return runtime.exec(command);
    }

    /** For {@link Runtime#exec(String[], String[])}. */
    public static Process exec(Runtime runtime, String[] command, String @Nullable [] environment) throws IOException {
        RankContext.startsSomething();
        return runtime.exec(command, environment);
    }

    /** For {@link Runtime#exec(String[], String[], File)}. */
    public static Process exec(
            Runtime runtime, String[] command, String @Nullable [] environment, @Nullable File folder)
            throws IOException {
        RankContext.startsSomething();
        return runtime.exec(command, environment, folder);
    }

    /** For {@code IO.readln()}: all ranks but 0 are at the end of their standard input. */
    public static @Nullable String readln() {
        RankContext rank = RankContext.current();
        return rank == null || readsStandardInput(rank) ? IO.readln() : null;
    }

    /** For {@code IO.readln(prompt)}. */
    public static @Nullable String readln(@Nullable String prompt) {
        RankContext rank = RankContext.current();
        if (rank == null || readsStandardInput(rank)) {
            return IO.readln(prompt);
        }
        IO.print(prompt);
        return null;
    }

    /** The JDK reads ahead for all callers of {@code IO}, so those without an input must not take from there. */
    private static boolean readsStandardInput(RankContext rank) {
        return rank.rank() == 0;
    }
}
