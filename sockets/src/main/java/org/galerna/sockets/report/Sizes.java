package org.galerna.sockets.report;

import java.util.Locale;

/** Numbers of bytes for people. */
public final class Sizes {
    private static final int STEP = 1000;
    private static final String[] UNITS = {"bytes", "kB", "MB", "GB", "TB", "PB"};

    private Sizes() {}

    /** {@code 12 bytes}, or {@code 3.4 MB}. */
    public static String of(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= STEP && unit < UNITS.length - 1) {
            value /= STEP;
            unit++;
        }
        return unit == 0 ? bytes + " " + UNITS[0] : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }
}
