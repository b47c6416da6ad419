package org.galerna.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages in Markdown that people read. */
final class Pages {
    private static final Pattern FENCE = Pattern.compile("^ {0,3}(```|~~~).*");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?) *#*$");
    private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\">");

    /** What stays of a heading in its anchor, as forges for source code write them. */
    private static final Pattern DROPPED = Pattern.compile("[^\\p{L}\\p{N}\\p{M}_\\- ]");

    private Pages() {}

    /** All pages: those at the root of the project, and those in {@code docs} and in {@code examples}. */
    static List<Path> all() {
        try (Stream<Path> root = Files.list(SourceFiles.ROOT);
                Stream<Path> docs = Files.walk(SourceFiles.ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(SourceFiles.ROOT.resolve("examples"))) {
            return Stream.of(root, docs, examples)
                    .flatMap(files -> files)
                    .filter(file ->
                            file.toString().endsWith(".md") && !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of a page without its blocks of code. */
    static List<String> prose(Path page) {
        boolean[] inside = {false};
        return lines(page).stream()
                .filter(line -> {
                    boolean fence = FENCE.matcher(line).matches();
                    inside[0] ^= fence;
                    return !fence && !inside[0];
                })
                .toList();
    }

    /** What can stand behind {@code #} in a link to the page. */
    static Set<String> anchors(Path page) {
        Set<String> anchors = new TreeSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : prose(page)) {
            ANCHOR.matcher(line).results().forEach(named -> anchors.add(named.group(1)));
            var heading = HEADING.matcher(line);
            if (heading.matches()) {
                String slug = slug(heading.group(1));
                int times = seen.merge(slug, 1, Integer::sum);
                anchors.add(times == 1 ? slug : slug + "-" + (times - 1));
            }
        }
        return anchors;
    }

    private static String slug(String heading) {
        String text = heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT);
        return DROPPED.matcher(text).replaceAll("").replace(' ', '-');
    }

    private static List<String> lines(Path page) {
        try {
            return Files.readAllLines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
