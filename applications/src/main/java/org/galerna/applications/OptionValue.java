package org.galerna.applications;

import java.util.Locale;

/** Values of options on the command line of a program. All methods throw a {@link ProgramException} if the value is wrong. */
public final class OptionValue {
    private OptionValue() {}

    /** A number within bounds. */
    public static double number(String option, String text, double least, double most) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException notANumber) {
            value = Double.NaN;
        }
        if (value >= least && value <= most) {
            return value;
        }
        throw new ProgramException(String.format(
                Locale.ROOT, "%s takes a number from %s to %s, not %s", option, plain(least), plain(most), text));
    }

    /** A whole number within bounds. */
    public static int whole(String option, String text, int least, int most) {
        double value = number(option, text, least, most);
        if (value != (int) value) {
            throw new ProgramException(option + " takes a whole number, not " + text);
        }
        return (int) value;
    }

    /** A power of two within bounds. */
    public static int powerOfTwo(String option, String text, int least, int most) {
        int value = whole(option, text, least, most);
        if (Integer.bitCount(value) != 1) {
            throw new ProgramException(
                    option + " takes a power of two from " + least + " to " + most + ", not " + text);
        }
        return value;
    }

    /** How progress is told. */
    public static Progress.Mode progress(String option, String text) {
        for (Progress.Mode mode : Progress.Mode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                return mode;
            }
        }
        throw new ProgramException(option + " is auto, bar, lines or none, not " + text);
    }

    private static String plain(double value) {
        return value == (long) value ? Long.toString((long) value) : Double.toString(value);
    }
}
