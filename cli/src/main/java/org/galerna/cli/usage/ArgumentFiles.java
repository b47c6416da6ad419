package org.galerna.cli.usage;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Files of arguments, {@code @file}, that java and javac read in place of words. They are read here, because what stands in
 * them may be a class path, and Galerna belongs on it. The rules are those of java: words are apart by blanks and line ends,
 * quotes keep blanks, a backslash inside them keeps what follows, and a number sign begins a comment.
 */
public final class ArgumentFiles {
    private static final String NO_MORE = "--disable-@files";

    private ArgumentFiles() {}

    /**
     * The words with files replaced by what stands in them.
     *
     * @param isLast says of a word, and the one before it, that it ends the options: words behind it are not java's
     */
    public static List<String> expand(List<String> words, Predicate<List<String>> isLast) {
        List<String> expanded = new ArrayList<>();
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            if (word.equals(NO_MORE) || isLast.test(expanded)) {
                expanded.addAll(words.subList(index, words.size()));
                return expanded;
            }
            if (word.length() > 1 && word.startsWith("@@")) {
                expanded.add(word.substring(1));
            } else if (word.length() > 1 && word.startsWith("@")) {
                expanded.addAll(read(word.substring(1)));
            } else {
                expanded.add(word);
            }
        }
        return expanded;
    }

    private static List<String> read(String file) {
        try {
            return words(Files.readString(Path.of(file), Charset.defaultCharset()));
        } catch (IOException unreadable) {
            throw new UsageException("the file of arguments @" + file + " cannot be read"
                    + (Files.exists(Path.of(file)) ? ": " + unreadable.getMessage() : ": there is no such file"));
        }
    }

    /** The words of a file of arguments. */
    public static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = null;
        char quote = 0;
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            boolean lineEnd = each == '\n' || each == '\r';
            if (quote == 0 && each == '#') {
                while (at + 1 < text.length() && text.charAt(at + 1) != '\n') {
                    at++;
                }
            } else if (lineEnd || (quote == 0 && Character.isWhitespace(each))) {
                if (word != null) {
                    words.add(word.toString());
                }
                word = null;
                quote = 0;
            } else {
                word = word == null ? new StringBuilder() : word;
                if (quote != 0 && each == '\\' && at + 1 < text.length()) {
                    at = escape(text, at + 1, word);
                } else if (quote == 0 ? each == '"' || each == '\'' : each == quote) {
                    quote = quote == 0 ? each : 0;
                } else {
                    word.append(each);
                }
            }
        }
        if (word != null) {
            words.add(word.toString());
        }
        return words;
    }

    /** Takes what follows a backslash; a line end and the blanks behind it are nothing. The place of its last character. */
    private static int escape(String text, int at, StringBuilder word) {
        char each = text.charAt(at);
        if (each != '\n' && each != '\r') {
            word.append(
                    switch (each) {
                        case 'n' -> '\n';
                        case 'r' -> '\r';
                        case 't' -> '\t';
                        case 'f' -> '\f';
                        default -> each;
                    });
            return at;
        }
        int last = at;
        while (last + 1 < text.length() && Character.isWhitespace(text.charAt(last + 1))) {
            last++;
        }
        return last;
    }
}
