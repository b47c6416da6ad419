package org.galerna.messaging.support;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node logs of failures: so many in a second at most, and how many it has left out. Whatever happens while it logs
 * ends there. Any thread.
 */
public final class FailureLog {
    /** Within {@link #PERIOD_NANOS}. */
    public static final int MOST = 10;

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String node;

    // guarded by this
    private long since = System.nanoTime() - PERIOD_NANOS;
    private int logged;
    private long leftOut;

    /** Of a node. */
    public FailureLog(int id) {
        this.node = "node " + id + ": ";
    }

    /** Logs a failure, with its trace if something was thrown. */
    public void report(Supplier<String> what, @Nullable Throwable thrown) {
        long before = admit(1);
        if (before >= 0) {
            String more = before == 0 ? "" : " (" + before + " failures before this were not logged)";
            log(() -> what.get() + more, thrown);
        }
    }

    /** Says how many were left out when the time for that has come. */
    public void tidy() {
        long before = admit(0);
        if (before > 0) {
            log(() -> before + " failures were not logged", null);
        }
    }

    /** Number of those that were left out before this one; -1 if it is left out, too. */
    private synchronized long admit(int failures) {
        long now = System.nanoTime();
        if (now - since >= PERIOD_NANOS) {
            since = now;
            logged = 0;
        }
        if (logged >= MOST) {
            leftOut += failures;
            return -1;
        }
        logged += failures;
        long before = leftOut;
        leftOut = 0;
        return before;
    }

    private void log(Supplier<String> what, @Nullable Throwable thrown) {
        try {
            String text = node + what.get();
            if (thrown == null) {
                NodeLog.LOGGER.log(Level.WARNING, text);
            } else if (ThrownText.isPrintable(thrown)) {
                NodeLog.LOGGER.log(Level.WARNING, text, thrown);
            } else {
                NodeLog.LOGGER.log(Level.WARNING, text + System.lineSeparator() + ThrownText.trace(thrown));
            }
        } catch (Throwable again) {
            // the log is the program's, and so is what it throws
        }
    }
}
