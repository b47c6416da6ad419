package org.galerna.tools.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is put into Maven, so that modules are built while others are tested. */
class MavenRunTest {
    private static final String EXTENSION = "tools/build/LaterTests.java";

    @TempDir
    private Path root;

    @BeforeEach
    void copyTheExtension() throws IOException {
        Path copy = root.resolve(EXTENSION);
        Files.createDirectories(copy.getParent());
        Files.copy(Path.of("..").resolve(EXTENSION), copy);
    }

    private MavenRun run(Path maven) {
        return new MavenRun(root, maven.toString(), root.resolve("log"), System.out);
    }

    @Test
    void theMavenOfThisMachineTestsModulesWhileOthersAreBuilt() throws IOException {
        Optional<Path> maven = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "mvn"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(maven.isPresent(), "there is no mvn on the path");
        Path classes = root.resolve("target/tools-of-maven");
        assertThat(run(maven.get()).testsLater(7))
                .hasValue(List.of("-Dmaven.ext.class.path=" + classes, "-Dgalerna.test.modules=7"));
        assertThat(classes.resolve("LaterTests.class")).isNotEmptyFile();
    }

    @Test
    void anotherMavenTestsThemWhereItHasIt() throws IOException {
        Path maven = Files.createDirectories(root.resolve("bin")).resolve("mvn");
        Files.createFile(maven);
        assertThat(run(maven).testsLater(2)).isEmpty();
        Files.createDirectories(root.resolve("lib"));
        assertThat(run(maven).testsLater(2)).isEmpty();
        assertThat(run(root.resolve("none")).testsLater(2)).isEmpty();
    }
}
