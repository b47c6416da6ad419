package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the page about build tools shows is what there is: the artifacts, their version, and the lines of the example. */
class BuildToolsPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(galerna[\\w-]*)</artifactId>");
    private static final Pattern NAMED =
            Pattern.compile("(?:`|org\\.galerna:|<artifactId>)(galerna(?:-[a-z-]+)?)(?:`|:|\"|</artifactId>)");
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);

    private static String text(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void artifactsOnThePageAreInTheBom() throws IOException {
        Set<String> known = all(ARTIFACT, text("bom/pom.xml"));
        assertThat(known).contains("galerna", "galerna-junit", "galerna-standalone");
        assertThat(all(NAMED, text("docs/build-tools.md")))
                .hasSizeGreaterThan(8)
                .isSubsetOf(known);
    }

    @Test
    void theVersionOnThePageIsThatOfTheBuild() throws IOException {
        Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(text("bom/pom.xml"));
        assertThat(version.find()).isTrue();
        assertThat(text("docs/build-tools.md"))
                .contains("<version>" + version.group(1) + "</version>")
                .contains("galerna-bom:" + version.group(1) + "\"");
    }

    @Test
    void theDependenciesOnThePageAreThoseOfTheExample() throws IOException {
        List<String> ofExample = dependencies(text("examples/maven-project/pom.xml"));
        assertThat(dependencies(text("docs/build-tools.md"))).hasSize(3).isSubsetOf(ofExample);
    }

    private static List<String> dependencies(String text) {
        return DEPENDENCY
                .matcher(text)
                .results()
                .map(found -> found.group().replaceAll("\\s+", ""))
                .toList();
    }
}
