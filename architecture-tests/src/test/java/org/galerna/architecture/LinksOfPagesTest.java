package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between the pages lead somewhere, and every page can be reached. */
class LinksOfPagesTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");

    @Test
    void filesAndAnchorsOfLinksExist() {
        List<String> broken = Pages.all().stream()
                .flatMap(page -> links(page).stream()
                        .filter(link -> !leadsSomewhere(page, link))
                        .map(link -> SourceFiles.ROOT.relativize(page) + ": " + link))
                .toList();
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageCanBeReachedFromTheReadme() {
        Set<Path> reached = new TreeSet<>();
        follow(SourceFiles.ROOT.resolve("README.md"), reached);
        assertThat(Pages.all()).allSatisfy(page -> assertThat(reached).contains(page));
    }

    private static void follow(Path page, Set<Path> reached) {
        if (reached.add(page)) {
            links(page).stream()
                    .map(link -> target(page, link))
                    .filter(target -> target.toString().endsWith(".md") && Files.exists(target))
                    .forEach(target -> follow(target, reached));
        }
    }

    /** Relative links, without those to other sites. */
    private static List<String> links(Path page) {
        String prose = CODE.matcher(String.join("\n", Pages.prose(page))).replaceAll("code");
        return LINK.matcher(prose)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .toList();
    }

    private static Path target(Path page, String link) {
        String file = link.replaceFirst("#.*", "");
        return file.isEmpty() ? page : page.resolveSibling(file).normalize();
    }

    private static boolean leadsSomewhere(Path page, String link) {
        Path target = target(page, link);
        int hash = link.indexOf('#');
        return target.startsWith(SourceFiles.ROOT)
                && Files.exists(target)
                && (hash < 0 || Pages.anchors(target).contains(link.substring(hash + 1)));
    }
}
