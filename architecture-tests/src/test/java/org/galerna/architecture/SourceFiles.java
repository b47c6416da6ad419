package org.galerna.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The source files of all modules. */
final class SourceFiles {
    /** The root of the project. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private SourceFiles() {}

    private static final Map<List<String>, List<Path>> FOUND = new ConcurrentHashMap<>();
    private static final Map<Path, String> TEXTS = new ConcurrentHashMap<>();

    /** The Java files of all modules in these source sets, relative to the root of the project. */
    static List<Path> of(String... sourceSets) {
        return FOUND.computeIfAbsent(List.of(sourceSets), SourceFiles::find);
    }

    private static List<Path> find(List<String> sourceSets) {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.filter(module -> Files.exists(module.resolve("pom.xml")))
                    .flatMap(module -> sourceSets.stream().map(set -> module.resolve("src/" + set + "/java")))
                    .filter(Files::isDirectory)
                    .flatMap(SourceFiles::javaFiles)
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

    /** The text of a file that is given relative to the root of the project. */
    static String text(Path file) {
        return TEXTS.computeIfAbsent(file, SourceFiles::read);
    }

    private static String read(Path file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
