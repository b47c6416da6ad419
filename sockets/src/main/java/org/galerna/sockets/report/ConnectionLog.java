package org.galerna.sockets.report;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.galerna.link.events.FlightEvents;
import org.galerna.link.process.OwnLog;
import org.galerna.sockets.FallbackReason;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/** What is said of each connection, if it is asked for: why it is plain or fast. */
public final class ConnectionLog {
    private static final Logger LOGGER = OwnLog.of("org.galerna.sockets");
    private static final boolean VERBOSE = Boolean.getBoolean(Settings.PREFIX + ".log");

    private ConnectionLog() {}

    /** A connection may become fast; what the recorder needs at its {@linkplain #ended end}. */
    public static @Nullable Object begun() {
        return FlightEvents.areRecorded() ? ConnectionEnd.start() : null;
    }

    /**
     * A connection that was looked at has ended.
     *
     * @param started what {@link #begun} has returned; null if it was plain
     * @param pipe what it went through; empty if it was plain
     */
    public static void ended(
            @Nullable Object started, String what, String pipe, long sent, long received, long age, String end) {
        if (FlightEvents.areRecorded()) {
            ConnectionEnd.commit(started, what, pipe, sent, received, age, end);
        }
    }

    private static void commit(String what, boolean fast, String reason, String pipe) {
        if (FlightEvents.areRecorded()) {
            ConnectionEvent.commit(what, fast, reason, pipe);
        }
    }

    /** What has become of all connections, when the process ends. */
    public static void summary() {
        log(Level.INFO, Counters.INSTANCE.summary());
    }

    private static void log(Level level, String text) {
        LOGGER.log(level, text);
    }

    public static void plain(FallbackReason reason, String what) {
        Counters.INSTANCE.plain(reason);
        commit(what, false, reason.text(), "");
        if (VERBOSE) {
            log(Level.INFO, what + " stays plain: " + reason.text());
        }
    }

    /**
     * A connection is fast.
     *
     * @param pipe {@link Settings#SHARED_MEMORY} or the name of a network
     */
    public static void fast(String what, String pipe) {
        commit(what, true, "", pipe);
        if (VERBOSE) {
            log(Level.INFO, what + " goes through " + (pipe.equals(Settings.SHARED_MEMORY) ? "shared memory" : pipe));
        }
    }

    public static void off(String why) {
        log(Level.WARNING, "sockets stay plain: " + why);
    }

    public static void linksOff(String why) {
        log(Level.WARNING, "sockets to other hosts stay plain: " + why);
    }

    /** A link that both could open carries nothing, and another one is taken. */
    public static void linkFailed(String peer, String why) {
        if (VERBOSE) {
            log(Level.INFO, "the link with " + peer + " is not the fastest, which does not work: " + why);
        }
    }

    public static void lost(String network, String why) {
        log(Level.WARNING, "a process is lost that connections over " + network + " led to: " + why);
    }

    public static void defect(Throwable defect) {
        LOGGER.log(Level.WARNING, "a connection could not be looked after", defect);
    }
}
