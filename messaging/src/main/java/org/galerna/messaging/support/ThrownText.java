package org.galerna.messaging.support;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Texts of what user code has thrown, which may throw in its turn, or say very much. Nothing here throws. */
public final class ThrownText {
    /** Characters of a text, at most. */
    public static final int MOST_CHARACTERS = 8 * 1024;

    private static final int MOST_CAUSES = 100;

    private ThrownText() {}

    /** As {@code toString}, cut if it is very long. */
    public static String describe(Throwable thrown) {
        try {
            return cut(String.valueOf(thrown), MOST_CHARACTERS);
        } catch (Throwable again) {
            return thrown.getClass().getName() + " (its toString throws "
                    + again.getClass().getName() + ")";
        }
    }

    /** The beginning of a text. */
    public static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "... (and " + (text.length() - end) + " characters more)";
    }

    /** Whether a log can print it: nothing that it consists of throws or is very long. */
    public static boolean isPrintable(Throwable thrown) {
        try {
            Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            Deque<Throwable> todo = new ArrayDeque<>(List.of(thrown));
            int characters = 0;
            while (!todo.isEmpty()) {
                Throwable each = todo.remove();
                characters += String.valueOf(each).length();
                if (characters > MOST_CHARACTERS || seen.size() > MOST_CAUSES || each.getStackTrace() == null) {
                    return false;
                }
                if (seen.add(each)) {
                    todo.addAll(List.of(each.getSuppressed()));
                    Throwable cause = each.getCause();
                    if (cause != null) {
                        todo.add(cause);
                    }
                }
            }
            return true;
        } catch (Throwable again) {
            return false;
        }
    }

    /** What can be said of one that is not printable. */
    public static String trace(Throwable thrown) {
        StringBuilder text = new StringBuilder(describe(thrown));
        try {
            for (StackTraceElement each : thrown.getStackTrace()) {
                text.append(System.lineSeparator()).append("\tat ").append(each);
                if (text.length() > 2 * MOST_CHARACTERS) {
                    break;
                }
            }
        } catch (Throwable again) {
            text.append(" (its trace cannot be had)");
        }
        return text.toString();
    }
}
