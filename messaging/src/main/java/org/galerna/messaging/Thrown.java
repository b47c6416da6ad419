package org.galerna.messaging;

import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/** Texts of what user code has thrown, which may throw in its turn, or say very much. Nothing here throws. */
final class Thrown {
    /** Characters of a text, at most. */
    static final int MOST_CHARACTERS = 8 * 1024;

    private Thrown() {}

    /** As {@code toString}, cut if it is very long. */
    static String describe(Throwable thrown) {
        try {
            return cut(String.valueOf(thrown), MOST_CHARACTERS);
        } catch (Throwable again) {
            return thrown.getClass().getName() + " (its toString throws "
                    + again.getClass().getName() + ")";
        }
    }

    /** The beginning of a text. */
    static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "... (and " + (text.length() - end) + " characters more)";
    }

    /** The trace if it can be printed and is not very long; null to log the throwable itself is safe. */
    static @Nullable String unusualTrace(Throwable thrown) {
        Beginning trace = new Beginning();
        try {
            thrown.printStackTrace(new PrintWriter(trace));
            return trace.isComplete() ? null : trace.text();
        } catch (Throwable again) {
            return trace.text() + "(its trace cannot be printed: "
                    + again.getClass().getName() + ")";
        }
    }

    /** Keeps the beginning of what is written. */
    private static final class Beginning extends Writer {
        private final StringBuilder kept = new StringBuilder();
        private long left;

        @Override
        public void write(char[] text, int from, int length) {
            int fitting = Math.min(length, MOST_CHARACTERS - kept.length());
            kept.append(text, from, fitting);
            left += length - fitting;
        }

        @Override
        public void write(String text, int from, int length) {
            int fitting = Math.min(length, MOST_CHARACTERS - kept.length());
            kept.append(text, from, from + fitting);
            left += length - fitting;
        }

        boolean isComplete() {
            return left == 0;
        }

        String text() {
            return left == 0 ? kept.toString() : kept + "... (and " + left + " characters more)";
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
