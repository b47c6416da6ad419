package org.galerna.launch.rank;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.galerna.link.process.TemporaryFolder;
import org.jspecify.annotations.Nullable;

/**
 * The native libraries of a rank. A file can be loaded by one class loader of the JVM only, so that ranks that share a JVM
 * load copies, as private as the classes that use them. The copies are removed when the job is over.
 */
public final class RankLibraries {
    private static final String KIND = "libraries";

    /** Means the folder of the library, where it looks for others; the second is macOS's word. */
    private static final Set<String> OWN_FOLDER = Set.of("$ORIGIN", "@loader_path");

    /** Files that a rank has loaded itself. */
    private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

    private final boolean alone;

    /** What is loaded in place of a file; guarded by this, like the rest. */
    private final Map<Source, Path> copies = new HashMap<>();

    /** A folder in it for each copy. */
    private @Nullable TemporaryFolder folder;

    /** A file at one moment: programs that unpack a library may do so into the same file again. */
    private record Source(Path file, long size, long time) {}

    /**
     * No libraries yet.
     *
     * @param alone true if no other rank is in this JVM
     */
    RankLibraries(boolean alone) {
        this.alone = alone;
    }

    /**
     * The file to load in place of the one that a program names.
     *
     * @throws UnsatisfiedLinkError if it cannot be copied
     */
    public String own(String name) {
        try {
            Path file = Path.of(name);
            // what the JDK refuses, it says itself
            return file.isAbsolute() && Files.isRegularFile(file) ? own(file).toString() : name;
        } catch (InvalidPathException noFile) {
            return name;
        }
    }

    /** The file of a library in {@code java.library.path}, to be loaded; null to leave the search to the JDK. */
    public @Nullable String find(String name) {
        String file = System.mapLibraryName(name);
        return places("sun.boot.library.path").anyMatch(folder -> Files.exists(folder.resolve(file)))
                ? null
                : places("java.library.path")
                        .map(folder -> folder.resolve(file))
                        .filter(Files::isRegularFile)
                        .findFirst()
                        .map(found -> own(found.toAbsolutePath()).toString())
                        .orElse(null);
    }

    private static Stream<Path> places(String property) {
        String path = System.getProperty(property, "");
        return Stream.of(path.split(File.pathSeparator)).map(Path::of);
    }

    private synchronized Path own(Path file) {
        try {
            Path real = file.toRealPath();
            BasicFileAttributes now = Files.readAttributes(real, BasicFileAttributes.class);
            Source source = new Source(real, now.size(), now.lastModifiedTime().toMillis());
            Path known = copies.get(source);
            if (known != null) {
                return known;
            }
            Path own = alone && TAKEN.add(real) ? file : copy(real, file.getFileName());
            copies.put(source, own);
            return own;
        } catch (IOException | UncheckedIOException impossible) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError("galerna: each rank of a process loads a copy of "
                    + file + ", and no copy can be made in " + System.getProperty("java.io.tmpdir") + " ("
                    + impossible + "); set java.io.tmpdir to a folder with room, or use --procs");
            error.initCause(impossible);
            throw error;
        }
    }

    private Path copy(Path file, Path name) throws IOException {
        Path folder = Files.createTempDirectory(folder(), "copy-");
        Path copy = folder.resolve(name);
        Files.copy(file, copy);
        boolean unused = copy.toFile().setExecutable(true, true);
        if (!Files.isExecutable(copy)) {
            throw new IOException("nothing there may be executed");
        }
        if (looksBesideItself(copy)) {
            linkNeighbours(file, folder);
        }
        return copy;
    }

    /** Gone with the job, or with this process should that end before. */
    private Path folder() throws IOException {
        TemporaryFolder known = folder;
        if (known == null) {
            known = TemporaryFolder.make(KIND).untilEnd();
            folder = known;
        }
        return known.path();
    }

    private static boolean looksBesideItself(Path library) throws IOException {
        String content = Files.readString(library, StandardCharsets.ISO_8859_1);
        return OWN_FOLDER.stream().anyMatch(content::contains);
    }

    private static void linkNeighbours(Path file, Path folder) throws IOException {
        Path place = file.getParent();
        if (place == null) {
            return;
        }
        try (DirectoryStream<Path> neighbours = Files.newDirectoryStream(place)) {
            for (Path each : neighbours) {
                Path link = folder.resolve(each.getFileName());
                if (Files.notExists(link)) {
                    Files.createSymbolicLink(link, each);
                }
            }
        }
    }

    /** Removes the copies; what is loaded of them stays loaded. */
    synchronized void remove() {
        TemporaryFolder known = folder;
        if (known != null) {
            known.close();
            folder = null;
        }
    }
}
