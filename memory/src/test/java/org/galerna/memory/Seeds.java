package org.galerna.memory;

/** Seeds of random tests: printed, and settable by {@code -Dtest.seed=…} to repeat a run. */
final class Seeds {
    private Seeds() {}

    static long next(Object test) {
        Long wanted = Long.getLong("test.seed");
        long seed = wanted != null ? wanted : System.nanoTime();
        System.out.println(test.getClass().getSimpleName() + ": repeat with -Dtest.seed=" + seed);
        return seed;
    }
}
