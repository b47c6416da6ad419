package org.galerna.launch.program;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder of class files. */
record FolderEntry(Path path, URL location) implements ClassPathEntry {
    private static final int DEEPEST = 32;

    static FolderEntry of(Path folder) {
        return new FolderEntry(folder, url(folder));
    }

    @Override
    public @Nullable URL find(String resource) {
        Path file = file(resource);
        return file == null || !Files.exists(file) ? null : url(file);
    }

    @Override
    public @Nullable InputStream open(String resource) throws IOException {
        Path file = file(resource);
        return file == null || !Files.isRegularFile(file) ? null : Files.newInputStream(file);
    }

    @Override
    public @Nullable Manifest manifest() {
        return null;
    }

    @Override
    public List<String> classNames(int limit) {
        try (Stream<Path> files = Files.walk(path, DEEPEST, FileVisitOption.FOLLOW_LINKS)) {
            return files.limit(limit)
                    .map(file -> path.relativize(file).toString().replace(File.separatorChar, '/'))
                    .filter(name -> name.endsWith(".class"))
                    .map(ClassNames::ofResource)
                    .toList();
        } catch (IOException | UncheckedIOException unreadable) {
            return List.of();
        }
    }

    @Override
    public boolean mayHave(List<String> beginnings, int most) {
        for (String beginning : beginnings) {
            int name = beginning.lastIndexOf('/') + 1;
            String[] files = path.resolve(beginning.substring(0, name)).toFile().list();
            if (files != null && (name == beginning.length() || begins(files, beginning.substring(name)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(String[] files, String beginning) {
        for (String file : files) {
            if (file.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        // holds nothing open
    }

    /** The file of a resource; null for names that lead out of the folder. */
    private @Nullable Path file(String resource) {
        try {
            Path file = path.resolve(resource).normalize();
            return file.startsWith(path) ? file : null;
        } catch (InvalidPathException noFileName) {
            return null;
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalArgumentException(path.toString(), impossible);
        }
    }
}
