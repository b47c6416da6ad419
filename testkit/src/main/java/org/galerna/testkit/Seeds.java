package org.galerna.testkit;

/** Seeds of random tests: printed, and settable by the system property {@code test.seed} to repeat a run. */
public final class Seeds {
    private Seeds() {}

    /** A new seed for {@code test}, or the one that was asked for. */
    public static long next(String test) {
        Long wanted = Long.getLong("test.seed");
        long seed = wanted != null ? wanted : System.nanoTime();
        System.out.println(test + ": repeat with -Dtest.seed=" + seed);
        return seed;
    }
}
