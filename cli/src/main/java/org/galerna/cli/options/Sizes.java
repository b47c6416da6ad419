package org.galerna.cli.options;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.cli.usage.UsageException;

/** Sizes of messages as a user types them: {@code 1,8,64K}, and {@code 1..4M} for all powers of two between. */
public final class Sizes {
    private static final long MOST = 1L << 30;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})([KkMm]?)");

    private Sizes() {}

    /**
     * The sizes in bytes.
     *
     * @param option what the user typed them after, for the message
     */
    public static List<Long> parse(String option, String text) {
        List<Long> sizes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int range = part.indexOf("..");
            if (range < 0) {
                sizes.add(size(option, part));
            } else {
                long last = size(option, part.substring(range + 2));
                long first = size(option, part.substring(0, range));
                if (first < 1 || first > last) {
                    throw new UsageException(
                            option + " takes a range from a smaller size to a larger one, not " + part);
                }
                for (long size = first; size <= last; size *= 2) {
                    sizes.add(size);
                }
            }
        }
        return sizes;
    }

    private static long size(String option, String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(option
                    + " takes numbers of bytes, separated by commas, such as 1,8,64K or 1..4M, not \"" + text + "\"");
        }
        long unit = switch (matcher.group(2)) {
            case "" -> 1;
            case "K", "k" -> 1L << 10;
            default -> 1L << 20;
        };
        long size = Long.parseLong(matcher.group(1)) * unit;
        if (size > MOST) {
            throw new UsageException(option + " takes sizes up to " + (MOST >> 20) + "M, not " + text);
        }
        return size;
    }
}
