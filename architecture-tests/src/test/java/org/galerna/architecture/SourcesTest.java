package org.galerna.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcesTest {
    @ParameterizedTest
    @CsvSource({"main, 450", "test, 800"})
    void noFileIsLong(String sourceSet, long most) {
        assertThat(SourceFiles.of(sourceSet))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(SourceFiles.text(file).lines().count())
                        .as("lines of %s", file)
                        .isLessThanOrEqualTo(most));
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() {
        List<Path> packages = SourceFiles.of("main").stream()
                .filter(file -> !file.endsWith("module-info.java"))
                .map(Path::getParent)
                .distinct()
                .toList();
        assertThat(packages).isNotEmpty().allSatisfy(folder -> {
            Path description = folder.resolve("package-info.java");
            assertThat(SourceFiles.ROOT.resolve(description)).exists();
            assertThat(SourceFiles.text(description)).startsWith("/**").contains("@NullMarked");
        });
    }

    @Test
    void everyLibraryIsAModule() {
        for (String module : List.of(
                "memory",
                "native",
                "link",
                "link-shm",
                "link-tcp",
                "link-verbs",
                "link-ofi",
                "link-ucx",
                "device",
                "device-ucx",
                "collectives",
                "mpi-engine",
                "mpj",
                "messaging",
                "sockets",
                "launch",
                "profile",
                "ranks")) {
            assertThat(SourceFiles.ROOT.resolve(module + "/src/main/java/module-info.java"))
                    .exists();
        }
    }

    @Test
    void testsAwaitConditionsInsteadOfSleeping() {
        assertThat(matching(Pattern.compile("\\bThread\\s*\\.\\s*sleep\\b"), "test"))
                .isEmpty();
    }

    /** Those of AssertJ write classes, which takes a second and more of the processor in each virtual machine. */
    @Test
    void testsAssumeByJUnit() {
        assertThat(matching(Pattern.compile("assertj\\.core\\.api\\.(Assumptions|\\w*Soft)"), "test"))
                .isEmpty();
    }

    @Test
    void nothingIsLeftUnfinished() {
        Pattern unfinished =
                Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b|new UnsupportedOperation" + "Exception");
        assertThat(matching(unfinished, "main", "test")).isEmpty();
    }

    /** So that users set levels by module. */
    @Test
    void loggersAreNamedByTheirModules() {
        Pattern name = Pattern.compile("OwnLog\\.of\\((?:\"([^\"]*)\"|(\\w+)\\.class\\.getName\\(\\))\\)");
        List<Path> loggers = matching(Pattern.compile("OwnLog\\.of\\("), "main").stream()
                .filter(file -> !file.endsWith("OwnLog.java"))
                .toList();
        assertThat(loggers).isNotEmpty().allSatisfy(file -> {
            Matcher found = name.matcher(SourceFiles.text(file));
            assertThat(found.find()).as("a name in %s", file).isTrue();
            String folder = file.toString().replace('/', '.');
            assertThat(found.group(1) == null ? file.getFileName().toString() : folder)
                    .as("logger of %s", file)
                    .contains(found.group(1) == null ? found.group(2) + ".java" : moduleOf(found.group(1)));
        });
        assertThat(matching(Pattern.compile("System\\.getLogger\\("), "main"))
                .allMatch(file -> file.endsWith("OwnLog.java"));
    }

    /** A name without its class. */
    private static String moduleOf(String logger) {
        return logger.replaceFirst("\\.[A-Z]\\w*$", "");
    }

    private static List<Path> matching(Pattern pattern, String... sourceSets) {
        return SourceFiles.of(sourceSets).stream()
                .filter(file -> !file.endsWith("SourcesTest.java"))
                .filter(file -> pattern.matcher(SourceFiles.text(file)).find())
                .toList();
    }
}
