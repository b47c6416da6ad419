package org.galerna.cli.profile;

import java.util.Locale;

/** Numbers as people read them. */
final class Figures {
    private static final double KILO = 1000;
    private static final String[] BYTES = {" B", " kB", " MB", " GB", " TB", " PB"};

    private Figures() {}

    /** A time in seconds, in a fitting unit. */
    static String time(double seconds) {
        if (seconds >= 1) {
            return String.format(Locale.ROOT, "%.2f s", seconds);
        }
        if (seconds >= 1e-3) {
            return String.format(Locale.ROOT, "%.2f ms", seconds * 1e3);
        }
        return seconds >= 1e-6 || seconds == 0
                ? String.format(Locale.ROOT, "%.2f µs", seconds * 1e6)
                : String.format(Locale.ROOT, "%.0f ns", seconds * 1e9);
    }

    /** A number of things. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
    }

    /** A number of bytes, in powers of 1000. */
    static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= KILO && unit < BYTES.length - 1) {
            value /= KILO;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f%s" : "%.1f%s", value, BYTES[unit]);
    }

    /** A share of 1. */
    static String percent(double share) {
        double percent = 100 * share;
        return String.format(Locale.ROOT, percent > 0 && percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
    }
}
