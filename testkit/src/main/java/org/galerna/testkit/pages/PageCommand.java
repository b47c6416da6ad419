package org.galerna.testkit.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A command in a page.
 *
 * @param place page and line
 * @param text the command with its comment, as it stands there
 */
public record PageCommand(String place, String text) {
    /**
     * Says that a command cannot be tried everywhere: a host {@code node1}, or a comment that begins with what it needs or
     * how long it takes.
     */
    private static final Pattern ELSEWHERE = Pattern.compile("\\bnode\\d\\b|# (?:needs|takes) ");

    /** Whether a test can run the command on this machine. */
    public boolean canRunHere() {
        return !ELSEWHERE.matcher(text).find();
    }

    /** The words as a shell sees them; substitutions of commands are words, and comments are none. */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        int depth = 0;
        for (int index = 0; index < text.length(); index++) {
            char each = text.charAt(index);
            if (depth > 0 || text.startsWith("$(", index)) {
                depth += each == '(' ? 1 : each == ')' ? -1 : 0;
                boolean begins = each == '$' && depth == 0;
                word.append(begins ? "$(" : String.valueOf(each));
                depth += begins ? 1 : 0;
                index += begins ? 1 : 0;
                inWord = true;
            } else if (quote != 0) {
                if (each == quote) {
                    quote = 0;
                } else {
                    word.append(each);
                }
            } else if (each == '"' || each == '\'') {
                quote = each;
                inWord = true;
            } else if (each == ' ') {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else if (each == '#' && !inWord) {
                break;
            } else {
                word.append(each);
                inWord = true;
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
