package org.galerna.cli.observe;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.galerna.launch.report.ThreadPosition;

/** Figures as short as people read them. */
final class Words {
    private static final String[] DECIMAL = {"", "k", "M", "G", "T", "P", "E"};
    private static final long MOST_SECONDS = 600;
    private static final long MOST_MINUTES = 600;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("dd MMM HH:mm", Locale.ROOT);

    private Words() {}

    /** At most five characters: {@code 999}, {@code 1.2k}, {@code 34M}. */
    static String number(double value) {
        double left = value;
        int step = 0;
        while (left >= 999.5 && step < DECIMAL.length - 1) {
            left /= 1000;
            step++;
        }
        boolean whole = (step == 0 && left == Math.rint(left)) || left >= 9.95;
        return String.format(Locale.ROOT, whole ? "%.0f%s" : "%.1f%s", left, DECIMAL[step]);
    }

    /** A number of bytes: {@code 757 B}, {@code 100 kB}. */
    static String bytes(double value) {
        String number = number(value);
        int last = number.length() - 1;
        return Character.isDigit(number.charAt(last))
                ? number + " B"
                : number.substring(0, last) + " " + number.charAt(last) + "B";
    }

    /** A duration in one unit, for tables: {@code 0.3 s}, {@code 78 s}, {@code 25 min}, {@code 3 h}. */
    static String duration(long nanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
        if (seconds < MOST_SECONDS) {
            return seconds < 60 ? ThreadPosition.duration(nanos) : seconds + " s";
        }
        return seconds < MOST_MINUTES * 60 ? seconds / 60 + " min" : seconds / 3600 + " h";
    }

    /** The time of today, or the day. */
    static String since(long millis) {
        ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault());
        boolean today = time.toLocalDate().equals(LocalDate.now(ZoneId.systemDefault()));
        return (today ? TIME : DAY).format(time);
    }

    /** A few numbers, and how many more there are. */
    static String few(List<Long> numbers, int most) {
        List<String> words = numbers.stream().limit(most).map(String::valueOf).toList();
        return String.join(",", words) + (numbers.size() > most ? ",+" + (numbers.size() - most) : "");
    }

    /** A command in so many characters; of a class in packages rather its own name than theirs. */
    static String command(String text, int width) {
        return cut(text.length() <= width ? text : text.replaceFirst("^(?:\\w+\\.)+(?=\\p{Lu})", ""), width);
    }

    static String cut(String text, int width) {
        String line = text.replaceAll("\\p{Cntrl}", " ");
        return line.length() <= width ? line : line.substring(0, Math.max(0, width - 3)) + "...";
    }
}
