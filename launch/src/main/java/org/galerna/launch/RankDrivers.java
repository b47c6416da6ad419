package org.galerna.launch;

import java.sql.Driver;
import java.util.Iterator;
import java.util.ServiceLoader;
import org.galerna.launch.rank.RankContext;

/**
 * The drivers of databases that a rank has on its class path. {@code DriverManager} looks for drivers once, with the class
 * loader of the thread that comes first, and hands each caller those of its own class loader only: each rank has to look
 * for its own. Not meant to be called by hand.
 */
public final class RankDrivers {
    /** Guarded by this. */
    private boolean searched;

    private RankDrivers() {}

    /** Looks for the drivers of the calling rank as {@code DriverManager} does, once. */
    public static void load() {
        RankContext rank = RankContext.current();
        if (rank != null) {
            rank.own(RankDrivers.class, RankDrivers::new).find();
        }
    }

    /** Other threads wait for the search; what the search itself calls goes on. */
    private synchronized void find() {
        if (!searched) {
            searched = true;
            search();
        }
    }

    @SuppressWarnings("EmptyCatch") // as DriverManager does: one that cannot be loaded is missed when it is needed
    private static void search() {
        ClassLoader loader = RankLoading.contextClassLoader();
        try {
            Iterator<Driver> drivers = ServiceLoader.load(Driver.class, loader).iterator();
            while (drivers.hasNext()) {
                drivers.next();
            }
        } catch (Throwable unusable) {
        }
        for (String name : System.getProperty("jdbc.drivers", "").split(":")) {
            try {
                if (!name.isEmpty()) {
                    Class.forName(name, true, RankLoading.getSystemClassLoader());
                }
            } catch (Exception unusable) {
            }
        }
    }
}
