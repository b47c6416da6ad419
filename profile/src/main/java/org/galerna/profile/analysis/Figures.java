package org.galerna.profile.analysis;

import java.util.Locale;

/** Numbers as people read them. */
public final class Figures {
    private static final double KILO = 1000;
    private static final String[] BYTES = {" B", " kB", " MB", " GB", " TB", " PB"};

    private Figures() {}

    /** A time in seconds, in a fitting unit, with three digits. */
    public static String time(double seconds) {
        if (seconds >= 1) {
            return threeDigits(seconds) + " s";
        }
        if (seconds >= 1e-3) {
            return threeDigits(seconds * 1e3) + " ms";
        }
        if (seconds == 0) {
            return "0 s";
        }
        return seconds >= 1e-6
                ? threeDigits(seconds * 1e6) + " µs"
                : String.format(Locale.ROOT, "%.0f ns", seconds * 1e9);
    }

    private static String threeDigits(double value) {
        return String.format(Locale.ROOT, value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f", value);
    }

    /** A number of things. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
    }

    /** A number of bytes, in powers of 1000. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= KILO && unit < BYTES.length - 1) {
            value /= KILO;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f%s" : "%.1f%s", value, BYTES[unit]);
    }

    /** A share of 1. */
    public static String percent(double share) {
        double percent = 100 * share;
        return String.format(Locale.ROOT, percent > 0 && percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
    }
}
