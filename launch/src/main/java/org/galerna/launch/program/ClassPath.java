package org.galerna.launch.program;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class path of a job: folders and archives, opened once for all ranks. What does not exist or is no archive is
 * left out, as {@code java} does. Any thread may call any method until it is closed.
 */
public final class ClassPath implements Closeable {
    private final List<ClassPathEntry> entries;
    private final Map<String, ClassPathEntry> modules;
    private final List<Path> absent;

    private ClassPath(List<ClassPathEntry> entries, Map<String, ClassPathEntry> modules, List<Path> absent) {
        this.entries = List.copyOf(entries);
        this.modules = Map.copyOf(modules);
        this.absent = List.copyOf(absent);
    }

    /** Opens the folders and archives, and those that the archives' manifests name. */
    public static ClassPath open(List<Path> paths) {
        return open(ModuleGraph.NONE, paths);
    }

    /** As {@link #open(List)}, with the modules of the program before them. */
    public static ClassPath open(ModuleGraph graph, List<Path> paths) {
        List<ClassPathEntry> entries = new ArrayList<>();
        Map<String, ClassPathEntry> modules = new HashMap<>();
        graph.places().forEach((name, place) -> modules.put(name, openModule(name, place)));
        entries.addAll(modules.values());
        List<Path> absent = new ArrayList<>();
        Set<Path> seen = new HashSet<>();
        Deque<Path> open = new ArrayDeque<>(paths);
        while (!open.isEmpty()) {
            Path path = open.removeFirst().toAbsolutePath().normalize();
            if (!seen.add(path)) {
                continue;
            }
            if (Files.isDirectory(path)) {
                entries.add(FolderEntry.of(path));
                continue;
            }
            try {
                ArchiveEntry archive = ArchiveEntry.open(path);
                entries.add(archive);
                // the archives named by this one come directly behind it
                archive.classPathOfManifest().reversed().forEach(open::addFirst);
            } catch (IOException noArchive) {
                absent.add(path);
            }
        }
        return new ClassPath(entries, modules, absent);
    }

    private static ClassPathEntry openModule(String name, Path place) {
        try {
            return Files.isDirectory(place) ? FolderEntry.of(place) : ArchiveEntry.open(place);
        } catch (IOException unreadable) {
            throw new ProgramException("module " + name + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /**
     * Parses a class path as {@code java -cp} takes it: an empty element is the working folder, and an element that
     * ends in {@code *} stands for all archives of a folder.
     */
    public static List<Path> parse(String text) {
        return Arrays.stream(text.split(File.pathSeparator, -1))
                .flatMap(ClassPath::expand)
                .toList();
    }

    private static Stream<Path> expand(String element) {
        boolean wildcard = element.equals("*") || element.endsWith(File.separator + "*");
        if (!wildcard) {
            return Stream.of(Path.of(element));
        }
        Path folder = Path.of(element.substring(0, element.length() - 1));
        try (Stream<Path> files = Files.list(folder.toAbsolutePath())) {
            return files.filter(file -> ArchiveEntry.isArchiveName(file.toString())).sorted().toList().stream();
        } catch (IOException unreadable) {
            return Stream.empty();
        }
    }

    /** The content of a class file and where it is from. */
    public static final class Found {
        private final byte[] bytes;
        private final URL location;
        private final @Nullable Manifest manifest;

        Found(byte[] bytes, URL location, @Nullable Manifest manifest) {
            this.bytes = bytes;
            this.location = location;
            this.manifest = manifest;
        }

        /** The content, not copied: not to be changed. */
        public byte[] bytes() {
            return bytes;
        }

        /** The folder or archive. */
        public URL location() {
            return location;
        }

        /** The archive's manifest; null if it has none. */
        public @Nullable Manifest manifest() {
            return manifest;
        }
    }

    /** Reads the first resource of that name; null if there is none. */
    public @Nullable Found read(String resource) throws IOException {
        for (ClassPathEntry entry : entries) {
            try (InputStream content = entry.open(resource)) {
                if (content != null) {
                    return new Found(content.readAllBytes(), entry.location(), entry.manifest());
                }
            }
        }
        return null;
    }

    /** Opens the first resource of that name; null if there is none. */
    public @Nullable InputStream open(String resource) throws IOException {
        for (ClassPathEntry entry : entries) {
            InputStream content = entry.open(resource);
            if (content != null) {
                return content;
            }
        }
        return null;
    }

    /** The address of a resource in a module of the program; null if there is none. */
    public @Nullable URL findIn(String module, String resource) {
        ClassPathEntry entry = modules.get(module);
        return entry == null ? null : entry.find(resource);
    }

    /** The addresses of all resources of that name, in the order of the class path. */
    public List<URL> find(String resource) {
        return entries.stream()
                .map(entry -> entry.find(resource))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Whether there is any file whose name begins with one of these words.
     *
     * @param most how many files of each archive may be looked through
     * @return true as well if one has more
     */
    public boolean mayHave(List<String> beginnings, int most) {
        for (ClassPathEntry entry : entries) {
            if (entry.mayHave(beginnings, most)) {
                return true;
            }
        }
        return false;
    }

    /** The names of at most about {@code limit} classes of each folder and archive. */
    List<String> classNames(int limit) {
        return entries.stream()
                .flatMap(entry -> entry.classNames(limit).stream())
                .distinct()
                .toList();
    }

    /**
     * A folder below one of the class path that belongs there in its place, because it has the class: as for {@code
     * classes/Main.class} of a class {@code Main} where the class path names the folder around it. Null if there is none.
     */
    @Nullable
    String folderOf(String className) {
        String resource = ClassNames.toResource(className);
        for (ClassPathEntry entry : entries) {
            if (!(entry instanceof FolderEntry)) {
                continue;
            }
            try (Stream<Path> below = Files.list(entry.path())) {
                Path folder = below.filter(Files::isDirectory)
                        .sorted()
                        .filter(each -> isOf(className, each.resolve(resource)))
                        .findFirst()
                        .orElse(null);
                if (folder != null) {
                    Path here = Path.of("").toAbsolutePath();
                    return (folder.startsWith(here) ? here.relativize(folder) : folder).toString();
                }
            } catch (IOException unreadable) {
                // then nothing is proposed
            }
        }
        return null;
    }

    /** Whether a file is a class of that name, and not one of a package that has the name of its folder. */
    private static boolean isOf(String className, Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try {
            return ClassFile.of().parse(file).thisClass().asInternalName().equals(className.replace('.', '/'));
        } catch (IOException | IllegalArgumentException noClass) {
            return false;
        }
    }

    /** What was searched, for error messages, e.g. {@code /home/a/classes, /home/a/b.jar (not found)}. */
    String description() {
        List<String> places = new ArrayList<>();
        entries.forEach(entry -> places.add(entry.path().toString()));
        absent.forEach(path -> places.add(path + (Files.exists(path) ? " (not an archive)" : " (not found)")));
        return places.isEmpty() ? "an empty class path" : String.join(", ", places);
    }

    @Override
    public void close() throws IOException {
        for (ClassPathEntry entry : entries) {
            entry.close();
        }
    }
}
