package org.galerna.sockets;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** What there is to say about connections: who asks for it is told of each why it is plain or fast. */
final class Journal {
    private static final boolean VERBOSE = Boolean.getBoolean(Settings.PREFIX + ".log");

    private Journal() {}

    /** Made only when there is something to say: a program may set up its logging later than it opens sockets. */
    private static final class Log {
        static final Logger LOGGER = System.getLogger("org.galerna.sockets");
    }

    static void plain(PlainReason reason, String what) {
        Counters.INSTANCE.plain(reason);
        ConnectionEvent.commit(what, false, reason.text(), "");
        if (VERBOSE) {
            Log.LOGGER.log(Level.INFO, what + " stays plain: " + reason.text());
        }
    }

    /**
     * A connection is fast.
     *
     * @param pipe {@link Settings#SHARED_MEMORY} or the name of a network
     */
    static void fast(String what, String pipe) {
        ConnectionEvent.commit(what, true, "", pipe);
        if (VERBOSE) {
            Log.LOGGER.log(
                    Level.INFO,
                    what + " goes through " + (pipe.equals(Settings.SHARED_MEMORY) ? "shared memory" : pipe));
        }
    }

    static void off(String why) {
        Log.LOGGER.log(Level.WARNING, "sockets stay plain: " + why);
    }

    static void linksOff(String why) {
        Log.LOGGER.log(Level.WARNING, "sockets to other hosts stay plain: " + why);
    }

    /** A link that both could open carries nothing, and another one is taken. */
    static void linkFailed(String peer, String why) {
        if (VERBOSE) {
            Log.LOGGER.log(Level.INFO, "the link with " + peer + " is not the fastest, which does not work: " + why);
        }
    }

    static void lost(String network, String why) {
        Log.LOGGER.log(Level.WARNING, "a process is lost that connections over " + network + " led to: " + why);
    }

    static void channelsOff(String why) {
        Log.LOGGER.log(Level.WARNING, "channels stay plain: " + why);
    }

    static void defect(RuntimeException defect) {
        Log.LOGGER.log(Level.WARNING, "a connection could not be looked after", defect);
    }
}
