package org.galerna.applications.picture;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers with three significant digits, for legends. */
final class Quantity {
    private static final String[] PREFIXES = {"p", "n", "\u00b5", "m", "", "k"};
    private static final double SMALLEST_PREFIX = 1e-12;

    private Quantity() {}

    /** With a prefix of the unit where one fits, e.g. {@code 1.25 µs}. */
    static String format(double value, String unit) {
        return number(value, value) + " " + unit(value, unit);
    }

    /** The number of a value in the unit, with its prefix, that another value would be written in. */
    static String number(double value, double reference) {
        return plain(value / SMALLEST_PREFIX / Math.pow(1000, prefix(reference)));
    }

    /** The unit with the prefix that fits a value. */
    static String unit(double value, String unit) {
        return (value == 0 ? "" : PREFIXES[prefix(value)]) + unit;
    }

    private static int prefix(double value) {
        double scaled = value / SMALLEST_PREFIX;
        int prefix = 0;
        while (prefix < PREFIXES.length - 1 && Math.abs(scaled) >= 999.5) {
            scaled /= 1000;
            prefix++;
        }
        return prefix;
    }

    /** Three significant digits; with an exponent only if there were too many zeros. */
    static String plain(double value) {
        if (value == 0) {
            return "0";
        }
        double size = Math.abs(value);
        if (size < 1e-3 || size >= 1e5) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
        return rounded.stripTrailingZeros().toPlainString();
    }

    /** The largest of 1, 2 and 5 times a power of ten that is not above a positive value. */
    static double roundDown(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        double digit = value / power;
        return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
    }
}
