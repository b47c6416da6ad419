package org.galerna.memory;

/** The processors that this process may use. */
public final class Cpus {
    private static final int AVAILABLE = Runtime.getRuntime().availableProcessors();

    private Cpus() {}

    /** Number of processors, with the limits of containers and affinity masks taken into account. */
    public static int available() {
        return AVAILABLE;
    }
}
