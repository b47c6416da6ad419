package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds the project a second time, somewhere else, and compares the archives byte by byte. */
@Tag("slow")
class ReproducibleBuildIntegrationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", ".idea");
    private static final List<String> MODULES = List.of(
            "memory",
            "native",
            "link",
            "device",
            "collectives",
            "mpi-engine",
            "mpj",
            "launch",
            "profile",
            "applications",
            "bench",
            "cli",
            "dist");

    @TempDir
    private Path folder;

    @Test
    void twoBuildsOfOneTreeGiveTheSameBytes() throws Exception {
        Path copy = folder.resolve("another place");
        copyTree(ROOT, copy);
        Path log = folder.resolve("log");
        Process build = new ProcessBuilder(
                        System.getProperty("maven.home") + "/bin/mvn",
                        "-B",
                        "-o",
                        "package",
                        "-pl",
                        "dist",
                        "-am",
                        "-Dmaven.test.skip")
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(build.waitFor(14, TimeUnit.MINUTES)).as("the build ends").isTrue();
        assertThat(build.exitValue()).as(() -> text(log)).isZero();
        for (String module : MODULES) {
            List<Path> archives = archives(ROOT.resolve(module));
            assertThat(archives).as("archives of %s", module).isNotEmpty();
            for (Path archive : archives) {
                assertThat(copy.resolve(ROOT.relativize(archive))).hasSameBinaryContentAs(archive);
            }
        }
    }

    private static List<Path> archives(Path module) throws IOException {
        try (Stream<Path> files = Files.list(module.resolve("target"))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .filter(file -> !file.getFileName().toString().startsWith("original-"))
                    .toList();
        }
    }

    private static void copyTree(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (LEFT_OUT.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
