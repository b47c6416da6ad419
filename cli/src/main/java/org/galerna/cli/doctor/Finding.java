package org.galerna.cli.doctor;

/**
 * One thing that was looked at.
 *
 * @param level how good it is
 * @param subject what was looked at
 * @param value what was found
 * @param meaning what it means for the user, and what to do; empty if it needs no words
 */
public record Finding(Level level, String subject, String value, String meaning) {
    /** How good a finding is. */
    public enum Level {
        /** As it should be. */
        GOOD("ok"),
        /** Works without, but not as well, or not everything. */
        LESS("-"),
        /** Galerna needs it. */
        BAD("BAD");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        /** The level in a table. */
        public String word() {
            return word;
        }
    }

    static Finding good(String subject, String value, String meaning) {
        return new Finding(Level.GOOD, subject, value, meaning);
    }

    static Finding less(String subject, String value, String meaning) {
        return new Finding(Level.LESS, subject, value, meaning);
    }

    static Finding bad(String subject, String value, String meaning) {
        return new Finding(Level.BAD, subject, value, meaning);
    }
}
