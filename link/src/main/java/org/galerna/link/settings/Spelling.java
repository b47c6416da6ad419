package org.galerna.link.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** What a person may have meant who wrote a name that does not exist. */
public final class Spelling {
    private Spelling() {}

    /** The candidate that is the nearest to a word, if it is near: capitals do not count. */
    public static Optional<String> nearest(String word, Collection<String> candidates) {
        String lower = word.toLowerCase(Locale.ROOT);
        return candidates.stream()
                .filter(candidate -> isNear(lower, candidate.toLowerCase(Locale.ROOT)))
                .min(Comparator.comparingInt((String candidate) -> distance(lower, candidate.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** {@code ; did you mean eager.limit?}, or nothing: the end of a sentence about a word that does not exist. */
    public static String didYouMean(String word, Collection<String> candidates) {
        return nearest(word, candidates)
                .map(candidate -> "; did you mean " + candidate + "?")
                .orElse("");
    }

    private static boolean isNear(String word, String candidate) {
        return distance(word, candidate) <= Math.max(1, word.length() / 3)
                || (word.length() > 1 && (candidate.startsWith(word) || word.startsWith(candidate)));
    }

    /** How many letters to change, insert, leave out, or swap with their neighbours. */
    public static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        int[] previous = new int[other.length() + 1];
        for (int column = 0; column <= other.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] current = new int[other.length() + 1];
            current[0] = row;
            for (int column = 1; column <= other.length(); column++) {
                int change = previous[column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(change, 1 + Math.min(previous[column], current[column - 1]));
                boolean swapped = row > 1
                        && column > 1
                        && one.charAt(row - 1) == other.charAt(column - 2)
                        && one.charAt(row - 2) == other.charAt(column - 1);
                if (swapped) {
                    current[column] = Math.min(current[column], 1 + before[column - 2]);
                }
            }
            before = previous;
            previous = current;
        }
        return previous[other.length()];
    }
}
