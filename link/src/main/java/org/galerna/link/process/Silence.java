package org.galerna.link.process;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.galerna.link.Wireup;

/** What is said of a peer that says nothing, although its process has not ended as far as anybody can tell. */
public final class Silence {
    private Silence() {}

    /**
     * Says it, if people know of the peer.
     *
     * @param nanos for how long nothing was heard
     */
    public static void report(Logger logger, Wireup wireup, int peer, String host, long nanos) {
        LocalTime since =
                LocalTime.now(ZoneId.systemDefault()).minusNanos(nanos).truncatedTo(ChronoUnit.SECONDS);
        wireup.nameOf(peer)
                .ifPresent(name -> logger.log(
                        Level.WARNING,
                        () -> name + " on " + host + " has shown no sign of life since " + since
                                + ". It may be stopped, and is waited for"));
    }
}
