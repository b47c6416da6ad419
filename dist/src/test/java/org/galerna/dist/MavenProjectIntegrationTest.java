package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installs Galerna into a repository of its own and builds the example project from there, as a user does. */
@Tag("slow")
class MavenProjectIntegrationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private static Path folder;

    private static Path repository;
    private static Path project;

    /** What a command has printed, and how it has ended. */
    private record Run(int status, String output) {}

    @BeforeAll
    static void install() throws Exception {
        repository = folder.resolve("repository");
        project = folder.resolve("project");
        shareLibraries(Path.of(System.getProperty("user.home"), ".m2/repository"), repository);
        copyTree(ROOT.resolve("examples/maven-project"), project);
        long start = System.nanoTime();
        Run run = run(ROOT, List.of("./galerna", "install", "-o", "-Dmaven.repo.local=" + repository));
        assertThat(run.output()).contains("installed");
        assertThat(run.status()).as(run.output()).isZero();
        System.out.println("galerna install: " + seconds(start));
    }

    /** A repository with the libraries of another one, and without Galerna: what is installed here stays here. */
    private static void shareLibraries(Path from, Path to) throws IOException {
        Path groups = Files.createDirectories(to.resolve("org"));
        linkAll(from, to, "org");
        linkAll(from.resolve("org"), groups, "galerna");
    }

    private static void linkAll(Path from, Path to, String except) throws IOException {
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                if (!entry.endsWith(except)) {
                    Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
                }
            }
        }
    }

    /** Not left to JUnit, which warns of each link. */
    @AfterAll
    static void removeLinks() throws IOException {
        for (Path place : List.of(repository, repository.resolve("org"))) {
            try (Stream<Path> entries = Files.list(place)) {
                for (Path entry : entries.filter(Files::isSymbolicLink).toList()) {
                    Files.delete(entry);
                }
            }
        }
    }

    @Test
    void allArtifactsHaveSources() throws IOException {
        for (String artifact :
                List.of("galerna", "galerna-mpj", "galerna-ranks", "galerna-junit", "galerna-messaging")) {
            Path version = repository.resolve("org/galerna/" + artifact + "/0.1.0");
            assertThat(version.resolve(artifact + "-0.1.0.jar")).exists();
            assertThat(version.resolve(artifact + "-0.1.0-sources.jar")).exists();
        }
        assertThat(repository.resolve("org/galerna/galerna-standalone/0.1.0/galerna-standalone-0.1.0.jar"))
                .exists();
        assertThat(repository.resolve("org/galerna/galerna-bom/0.1.0/galerna-bom-0.1.0.pom"))
                .exists();
    }

    /** An IDE proposes every class on the class path. */
    @Test
    void whatAProjectDependsOnHasNoShadedClasses() throws Exception {
        Run run = maven("dependency:build-classpath");
        assertThat(run.status()).as(run.output()).isZero();
        List<Path> archives = Stream.of(run.output().split("[\\s:]+"))
                .filter(word -> word.endsWith(".jar") && word.contains("/org/galerna/"))
                .map(Path::of)
                .toList();
        assertThat(archives).hasSizeGreaterThan(10);
        for (Path archive : archives) {
            try (var content = FileSystems.newFileSystem(archive);
                    Stream<Path> files = Files.walk(content.getPath("/"))) {
                assertThat(files.map(Path::toString)
                                .filter(file -> file.endsWith(".class"))
                                .filter(file -> file.contains("picocli") || file.contains("shaded")))
                        .as("%s", archive)
                        .isEmpty();
            }
        }
    }

    @Test
    void testsOfFourRanksPassAndFailLikeAnyOther() throws Exception {
        long start = System.nanoTime();
        Run passes = maven("test");
        assertThat(passes.status()).as(passes.output()).isZero();
        assertThat(passes.output()).contains("Tests run: 5, Failures: 0, Errors: 0, Skipped: 0");
        System.out.println("tests of the project: " + seconds(start));

        Run fails = maven("test", "-Dfail=true");
        assertThat(fails.status()).isNotZero();
        assertThat(fails.output())
                .contains("Tests run: 5, Failures: 1, Errors: 0, Skipped: 0")
                .contains("rank 2 failed: expected: <3> but was: <4>")
                .contains("PiTest.failsInRank2IfAsked");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(3));
    }

    private static Run maven(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("maven.home") + "/bin/mvn", "-B", "-o", "-ntp", "-Dmaven.repo.local=" + repository));
        command.addAll(List.of(arguments));
        return run(project, command);
    }

    private static Run run(Path where, List<String> command) throws Exception {
        Path log = Files.createTempFile(folder, "run", ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES))
                    .as(() -> text(log))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), text(log));
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private static String seconds(long start) {
        return Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s";
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                if (!from.relativize(file).startsWith("target")) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                }
            }
        }
    }
}
