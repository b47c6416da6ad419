package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages in {@code docs} say about the sources. */
class PagesTest {
    private static final Path PAGES = SourceFiles.ROOT.resolve("docs");

    /** A class of tests, and one of its methods. */
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|Suite))\\.(\\w+)`");

    /** Lists that grow with each change. */
    private static final Set<String> LISTS = Set.of("faults.md", "roadmap.md", "CHANGELOG.md");

    /** "Who ..." as the subject of a sentence, and words of another language. */
    private static final Pattern STUMBLES = Pattern.compile(
            "\\b[Ww]hoever\\b|[.:;]\\s[Ww]ho\\s\\S+|\\b[Bb]esides\\b|\\bleave[sn]?\\s(?:\\S+\\s)?away\\b");

    @Test
    void testsThatAreNamedExist() throws IOException {
        try (Stream<Path> pages = Files.walk(PAGES)) {
            assertThat(pages.filter(page -> page.toString().endsWith(".md")).toList())
                    .isNotEmpty()
                    .allSatisfy(page -> assertThat(missing(Files.readString(page)))
                            .as("tests that %s names and nobody has", page)
                            .isEmpty());
        }
    }

    @Test
    void theWeaknessesOfTheOriginalHaveTests() throws IOException {
        List<String> rows = Files.readString(PAGES.resolve("messaging.md"))
                .lines()
                .dropWhile(line -> !line.equals("| weakness | here | test |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(rows).hasSize(7).allMatch(row -> TEST.matcher(row).find());
    }

    @Test
    void pagesAvoidTurnsThatReadersStumbleAt() {
        List<String> found = Pages.all().stream()
                .filter(page -> !LISTS.contains(page.getFileName().toString())
                        && !page.toString().contains("/notes/"))
                .flatMap(page -> STUMBLES.matcher(String.join("\n", Pages.prose(page)))
                        .results()
                        .map(turn -> page.getFileName() + ": " + turn.group().replace('\n', ' ')))
                .toList();
        assertThat(found).isEmpty();
    }

    private static List<String> missing(String page) {
        return TEST.matcher(page)
                .results()
                .filter(named -> !exists(named.group(1), named.group(2)))
                .map(named -> named.group(1) + "." + named.group(2))
                .toList();
    }

    private static boolean exists(String type, String method) {
        return SourceFiles.of("test").stream()
                .filter(file -> file.endsWith(type + ".java"))
                .anyMatch(file -> SourceFiles.text(file).contains("void " + method + "("));
    }
}
