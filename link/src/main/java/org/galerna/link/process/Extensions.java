package org.galerna.link.process;

/**
 * Whether a program may extend Galerna: by links, devices, launchers or settings of its own, which {@link java.util.ServiceLoader} finds on
 * the class path. That looks into all archives there, and into all modules of the platform. Who knows that there are none says so, and only
 * what Galerna's own module provides is taken then.
 */
public final class Extensions {
    private static volatile boolean none;

    private Extensions() {}

    /**
     * Says that there are none: for the start of a process in which Galerna is a named module, before anything is looked for. Any
     * thread.
     */
    public static void exclude() {
        none = true;
    }

    /** Whether there are none, so that the modules of the boot layer provide all that there is. Any thread. */
    public static boolean areExcluded() {
        return none;
    }
}
