package org.galerna.bench.start;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What HotSpot's log of compilations says, with the tags {@code jit+compilation} and the time since the start of the virtual
 * machine in seconds.
 */
final class CompilerLog {
    /** As {@code -Xlog} takes it, before the file. */
    static final String OPTION = "-Xlog:jit+compilation=debug:file=";

    private static final Pattern DISCARDED = Pattern.compile("^\\[\\s*([0-9.]+)s].*made not entrant: (.*)$");
    private static final Pattern COMPILED = Pattern.compile("^\\[\\s*[0-9.]+s]\\s+\\d+ [ %s!bn]*[1-4] ");

    /** Code that gave way to better code: nothing that it had assumed was wrong. */
    private static final String REPLACED = "not used";

    private static final String ENTERED = "OSR invalidation of lower level";

    private final Map<String, Integer> reasons = new TreeMap<>();
    private int compiled;
    private int later;

    /**
     * Reads a log.
     *
     * @param second from when on methods count as discarded later, in seconds since the start of the virtual machine
     */
    CompilerLog(Stream<String> lines, double second) {
        lines.forEach(line -> read(line, second));
    }

    private void read(String line, double second) {
        Matcher discarded = DISCARDED.matcher(line);
        if (discarded.matches()) {
            String reason = discarded.group(2).strip();
            if (!reason.equals(REPLACED) && !reason.equals(ENTERED)) {
                reasons.merge(reason, 1, Integer::sum);
                if (Double.parseDouble(discarded.group(1)) >= second) {
                    later++;
                }
            }
        } else if (COMPILED.matcher(line).find()) {
            compiled++;
        }
    }

    /** Methods that were compiled. */
    int compiled() {
        return compiled;
    }

    /** Methods made not entrant because what they had assumed did not hold, by the reason. */
    Map<String, Integer> discarded() {
        return reasons;
    }

    /** Those of them after the second that was given. */
    int discardedLater() {
        return later;
    }
}
