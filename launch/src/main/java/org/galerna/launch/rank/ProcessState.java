package org.galerna.launch.rank;

import java.io.InputStream;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.Thread.UncaughtExceptionHandler;
import org.galerna.link.process.OwnLog;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM has once and every rank has to have for itself: the standard streams and the default handler of
 * uncaught exceptions. While jobs run, stand-ins are in place that find out whose turn it is; the last job that ends
 * puts the originals back.
 */
public final class ProcessState {
    private static final Logger LOGGER = OwnLog.of(ProcessState.class.getName());

    // guarded by the class
    private static int users;
    private static @Nullable ProcessState saved;

    private final InputStream in = System.in;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final @Nullable UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();

    private final InputStream forwardingIn = new ForwardingInputStream(in);
    private final PrintStream forwardingOut = new ForwardingPrintStream(out, RankContext::out);
    private final PrintStream forwardingErr = new ForwardingPrintStream(err, RankContext::err);
    private final UncaughtExceptionHandler dispatcher = this::dispatch;

    private ProcessState() {}

    /** Puts the stand-ins in place, once for any number of jobs. */
    public static synchronized void divide() {
        if (users++ == 0) {
            saved = new ProcessState();
            saved.install();
        }
    }

    /** Undoes one {@link #divide}. */
    public static synchronized void restore() {
        ProcessState state = saved;
        if (--users == 0 && state != null) {
            state.uninstall();
            saved = null;
        }
    }

    /** {@code System.in} as it is for the calling thread: never the stand-in, which would ask whose turn it is again. */
    public static InputStream in() {
        return System.in instanceof ForwardingInputStream forwarding ? forwarding.here() : System.in;
    }

    /** {@code System.out}, likewise. */
    public static PrintStream out() {
        return System.out instanceof ForwardingPrintStream forwarding ? forwarding.here() : System.out;
    }

    /** {@code System.err}, likewise. */
    public static PrintStream err() {
        return System.err instanceof ForwardingPrintStream forwarding ? forwarding.here() : System.err;
    }

    private void install() {
        System.setIn(forwardingIn);
        System.setOut(forwardingOut);
        System.setErr(forwardingErr);
        Thread.setDefaultUncaughtExceptionHandler(dispatcher);
    }

    private void uninstall() {
        // what somebody else has replaced in the meantime is no longer ours to put back
        if (System.in == forwardingIn) {
            System.setIn(in);
        }
        if (System.out == forwardingOut) {
            System.setOut(out);
        }
        if (System.err == forwardingErr) {
            System.setErr(err);
        }
        if (Thread.getDefaultUncaughtExceptionHandler() == dispatcher) {
            Thread.setDefaultUncaughtExceptionHandler(handler);
        }
    }

    /** Reached by virtual threads, and by threads outside the rank's thread group. */
    private void dispatch(Thread thread, Throwable exception) {
        RankContext rank = RankContext.ofThread();
        if (rank != null) {
            rank.uncaughtException(thread, exception);
        } else if (exception instanceof RankEnded) {
            return;
        } else if (handler != null) {
            handler.uncaughtException(thread, exception);
        } else {
            LOGGER.log(Level.ERROR, "Exception in thread \"" + thread.getName() + "\" " + describe(exception));
        }
    }

    /** As the JVM would print it. */
    private static String describe(Throwable exception) {
        StringBuilder text = new StringBuilder(exception.toString());
        for (StackTraceElement frame : exception.getStackTrace()) {
            text.append("\n\tat ").append(frame);
        }
        Throwable cause = exception.getCause();
        return cause == null
                ? text.toString()
                : text.append("\nCaused by: ").append(describe(cause)).toString();
    }
}
