package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SourcesTest {
    private static final int LONGEST_FILE = 800;

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void noFileIsLongerThanItMayBe() {
        assertThat(sources("main", "test"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(text(file).lines().count())
                        .as("lines of %s", file)
                        .isLessThanOrEqualTo(LONGEST_FILE));
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() {
        List<Path> packages = sources("main").stream()
                .filter(file -> !file.endsWith("module-info.java"))
                .map(Path::getParent)
                .distinct()
                .toList();
        assertThat(packages).isNotEmpty().allSatisfy(folder -> {
            Path description = folder.resolve("package-info.java");
            assertThat(ROOT.resolve(description)).exists();
            assertThat(text(description)).startsWith("/**").contains("@NullMarked");
        });
    }

    @Test
    void everyLibraryIsAModule() {
        for (String module : List.of("memory", "native", "link", "device", "collectives", "mpj", "launch")) {
            assertThat(ROOT.resolve(module + "/src/main/java/module-info.java")).exists();
        }
    }

    @Test
    void testsAwaitConditionsInsteadOfSleeping() {
        assertThat(matching(Pattern.compile("\\bThread\\s*\\.\\s*sleep\\b"), "test"))
                .isEmpty();
    }

    @Test
    void nothingIsLeftUnfinished() {
        Pattern unfinished =
                Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b|new UnsupportedOperation" + "Exception");
        assertThat(matching(unfinished, "main", "test")).isEmpty();
    }

    private static List<Path> matching(Pattern pattern, String... sourceSets) {
        return sources(sourceSets).stream()
                .filter(file -> !file.endsWith("SourcesTest.java"))
                .filter(file -> pattern.matcher(text(file)).find())
                .toList();
    }

    /** The Java files of all modules in these source sets, relative to the root of the project. */
    private static List<Path> sources(String... sourceSets) {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.filter(module -> Files.exists(module.resolve("pom.xml")))
                    .flatMap(module -> Stream.of(sourceSets).map(set -> module.resolve("src/" + set + "/java")))
                    .filter(Files::isDirectory)
                    .flatMap(SourcesTest::javaFiles)
                    .map(ROOT::relativize)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
