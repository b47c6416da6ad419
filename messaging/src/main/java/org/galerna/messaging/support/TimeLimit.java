package org.galerna.messaging.support;

import java.time.Duration;

/** Time limits. They may be as long as a {@link Duration} can be, and then never end. */
public final class TimeLimit {
    /** 146 years. Twice that does not overflow, so that sums and differences of times are right. */
    public static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private TimeLimit() {}

    /** In nanoseconds, from 0 to {@link #LONGEST_NANOS}. */
    public static long nanos(Duration limit) {
        if (limit.isNegative()) {
            return 0;
        }
        return limit.compareTo(LONGEST) < 0 ? limit.toNanos() : LONGEST_NANOS;
    }

    /** When it is over, as of {@link System#nanoTime}. */
    public static long deadline(Duration limit) {
        return System.nanoTime() + nanos(limit);
    }

    /** For people. */
    public static String text(Duration limit) {
        return !limit.isNegative() && nanos(limit) < LONGEST_NANOS ? limit.toMillis() + " ms" : limit.toString();
    }
}
