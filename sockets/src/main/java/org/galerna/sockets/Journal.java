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
        ConnectionEvent.commit(what, false, reason.text());
        if (VERBOSE) {
            Log.LOGGER.log(Level.INFO, what + " stays plain: " + reason.text());
        }
    }

    static void fast(String what) {
        ConnectionEvent.commit(what, true, "");
        if (VERBOSE) {
            Log.LOGGER.log(Level.INFO, what + " goes through shared memory");
        }
    }

    static void off(String why) {
        Log.LOGGER.log(Level.WARNING, "sockets stay plain: " + why);
    }

    static void channelsOff(String why) {
        Log.LOGGER.log(Level.WARNING, "channels stay plain: " + why);
    }

    static void defect(RuntimeException defect) {
        Log.LOGGER.log(Level.WARNING, "a connection could not be looked after", defect);
    }
}
