package org.galerna.testkit.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages in Markdown of a project. */
public final class Pages {
    private static final Pattern FENCE = Pattern.compile("^ {0,3}(?:```|~~~)\\s*(\\S*).*$");
    private static final Pattern CONTEXT = Pattern.compile("<!-- with: (.*?) -->", Pattern.DOTALL);
    private static final String INDENTATION = "    ";

    private Pages() {}

    /** All pages of a project: those at its root, and those below its folder {@code docs}. */
    public static List<Path> of(Path root) {
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The blocks of code in a page. */
    public static List<PageBlock> blocks(Path page) {
        try {
            return blocks(page.getFileName().toString(), Files.readAllLines(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same for a page by its lines. */
    static List<PageBlock> blocks(String page, List<String> lines) {
        List<PageBlock> blocks = new ArrayList<>();
        StringBuilder before = new StringBuilder();
        int index = 0;
        while (index < lines.size()) {
            Matcher fence = FENCE.matcher(lines.get(index));
            boolean fenced = fence.matches();
            if (fenced || isIndented(lines, index)) {
                int first = fenced ? index + 1 : index;
                int end = fenced ? fenceAfter(lines, first) : indentedEnd(lines, first);
                List<String> code = lines.subList(first, end).stream()
                        .map(line -> fenced ? line : line.isBlank() ? "" : line.substring(INDENTATION.length()))
                        .toList();
                blocks.add(new PageBlock(page, first + 1, fenced ? fence.group(1) : "", context(before), code));
                before.setLength(0);
                index = fenced ? end + 1 : end;
            } else {
                before.append(lines.get(index)).append('\n');
                index++;
            }
        }
        return blocks;
    }

    private static String context(CharSequence before) {
        Matcher comment = CONTEXT.matcher(before);
        String context = "";
        while (comment.find()) {
            context = before.subSequence(comment.end(), before.length())
                            .toString()
                            .isBlank()
                    ? comment.group(1)
                    : "";
        }
        return context;
    }

    /** A block begins behind an empty line; what is indented below an item of a list is text. */
    private static boolean isIndented(List<String> lines, int index) {
        return lines.get(index).startsWith(INDENTATION)
                && (index == 0 || lines.get(index - 1).isBlank());
    }

    private static int fenceAfter(List<String> lines, int first) {
        int end = first;
        while (end < lines.size() && !FENCE.matcher(lines.get(end)).matches()) {
            end++;
        }
        return end;
    }

    private static int indentedEnd(List<String> lines, int first) {
        int end = first;
        int last = first;
        while (end < lines.size() && (lines.get(end).isBlank() || lines.get(end).startsWith(INDENTATION))) {
            last = lines.get(end).isBlank() ? last : end;
            end++;
        }
        return last + 1;
    }
}
