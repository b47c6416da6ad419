package org.galerna.bench.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of the example of the simulation, and folders for its results. */
public final class Harbour {
    private static final List<String> FILES = List.of("harbour.properties", "harbour.png");

    private Harbour() {}

    /**
     * Copies the example into a folder, where it can be changed.
     *
     * @return the parameter file
     * @throws IOException if the folder cannot be written
     */
    public static Path unpack(Path folder) throws IOException {
        for (String name : FILES) {
            try (InputStream resource = Harbour.class.getResourceAsStream(name)) {
                if (resource == null) {
                    throw new IllegalStateException("the resource " + name + " is missing next to " + Harbour.class);
                }
                Files.write(folder.resolve(name), resource.readAllBytes());
            }
        }
        return folder.resolve(FILES.getFirst());
    }

    /**
     * Deletes a folder with all that is in it.
     *
     * @throws IOException if something cannot be deleted
     */
    public static void delete(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (Files.isDirectory(file)) {
                    delete(file);
                } else {
                    Files.delete(file);
                }
            }
        }
        Files.delete(folder);
    }
}
