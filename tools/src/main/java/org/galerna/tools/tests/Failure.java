package org.galerna.tools.tests;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A test that did not pass.
 *
 * @param test its class and name
 * @param type of what was thrown
 * @param message of what was thrown; may be empty
 * @param text the message and the stack as they were printed; may be empty
 */
record Failure(String test, String type, String message, String text) {
    private static final Pattern FRAME = Pattern.compile("^[ \\t]*at [^ ]+\\(.*\\)$");
    private static final Pattern CAUSE = Pattern.compile("^[ \\t]*(Caused by|Suppressed): ");

    /** Frames of the JDK and of what runs the tests. */
    private static final Pattern FOREIGN =
            Pattern.compile("at (java\\.base|jdk\\.|org\\.junit\\.|org\\.apache\\.maven\\.|org\\.assertj\\.)");

    private static final int MOST_FRAMES = 8;
    private static final int MOST_LINES = 12;
    private static final int LONGEST = 300;
    private static final int LONGEST_SUMMARY = 600;

    /** Its name, then what happened and where, in so many lines at most: for each cause some of the message and of the stack. */
    List<String> lines(int most) {
        List<String> shown = new ArrayList<>();
        int frames = 0;
        int messages = 0;
        for (String line : (text.isBlank() ? message : text).split("\\R", -1)) {
            if (CAUSE.matcher(line).find()) {
                frames = 0;
                messages = 0;
            }
            boolean isShown;
            String printed = line;
            if (FRAME.matcher(line).find()) {
                isShown = !FOREIGN.matcher(line).find() && frames++ < MOST_FRAMES;
                printed = "  " + line.strip();
            } else {
                isShown = !line.isBlank();
                if (isShown) {
                    frames = 0;
                    isShown = messages++ < MOST_LINES;
                }
            }
            if (isShown && shown.size() < most) {
                shown.add("    " + cut(printed, LONGEST));
            }
        }
        shown.addFirst("  " + test);
        return shown;
    }

    /** Its name, then what happened, in short. */
    List<String> summary() {
        return List.of(
                "  " + test,
                "    " + cut(type + ": " + message, LONGEST_SUMMARY).replace("\n", "\n    "));
    }

    private static String cut(String line, int most) {
        return line.length() <= most ? line : line.substring(0, most);
    }
}
