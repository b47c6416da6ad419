package org.galerna.bench.report;

import java.util.Locale;

/** Text and numbers as they stand in an HTML document. */
public final class Html {
    private static final long KIBI = 1024;
    private static final String[] SIZE_UNITS = {" B", " KiB", " MiB", " GiB"};

    private static final int MOST_DECIMALS = 9;

    /** So that 9.999, which is written as 10.0, counts as 10 already. */
    private static final double ROUNDED_UP = 1.0005;

    /** Stands for a number that there is none of. */
    static final String NOTHING = "–";

    private Html() {}

    /**
     * The head of a page that loads nothing else, up to its heading.
     *
     * @param title of the page, and its heading
     * @param style sheet
     */
    public static String head(String title, String style) {
        return """
                <!DOCTYPE html>
                <html lang=en>
                <head>
                <meta charset=utf-8>
                <meta name=viewport content="width=device-width, initial-scale=1">
                <meta name=color-scheme content="light dark">
                <title>%1$s</title>
                <style>
                %2$s</style>
                </head>
                <body>
                <h1>%1$s</h1>
                """.formatted(escape(title), style);
    }

    /** A machine in a line. */
    public static String of(Machine machine) {
        return escape(
                machine.processor() + ", " + machine.cores() + " cores; " + machine.system() + "; " + machine.java());
    }

    /** The text so that it means itself, between tags and in quoted attributes. */
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(character);
            }
        }
        return escaped.toString();
    }

    /** A value with at least three significant digits: 0.0832, 0.131, 4.60, 83.2, 1 930. */
    public static String number(double value) {
        if (!Double.isFinite(value)) {
            return NOTHING;
        }
        double size = Math.abs(value);
        int decimals = 0;
        if (size > 0) {
            int magnitude = (int) Math.floor(Math.log10(size * ROUNDED_UP));
            decimals = Math.clamp(2 - magnitude, 0, MOST_DECIMALS);
        }
        return String.format(Locale.ROOT, "%,." + decimals + "f", value).replace(",", "&#8239;");
    }

    /** A number of bytes in the largest unit that holds it without a remainder. */
    public static String size(long bytes) {
        int unit = 0;
        long rest = bytes;
        while (unit < SIZE_UNITS.length - 1 && rest >= KIBI && rest % KIBI == 0) {
            rest /= KIBI;
            unit++;
        }
        return rest + SIZE_UNITS[unit];
    }
}
