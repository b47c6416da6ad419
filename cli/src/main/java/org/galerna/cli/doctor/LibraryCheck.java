package org.galerna.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Libraries that links and launchers use. They are looked for as files and not loaded: some of them install signal
 * handlers when they are, which the JVM does not survive without preparation.
 */
final class LibraryCheck {
    private static final List<Library> LIBRARIES = List.of(
            new Library("libibverbs.so.1", "libibverbs1", "InfiniBand, RoCE and iWARP adapters"),
            new Library("librdmacm.so.1", "librdmacm1", "connections over InfiniBand, RoCE and iWARP"),
            new Library("libfabric.so.1", "libfabric1", "Slingshot, EFA, Omni-Path and other fabrics"),
            new Library("libucp.so.0", "libucx0", "UCX"),
            new Library("libpmix.so.2", "libpmix2", "jobs started by Open MPI's mpirun, PRRTE or Slurm"));

    private LibraryCheck() {}

    /** A library, the Debian package that has it, and what it is for. */
    private record Library(String file, String debianPackage, String purpose) {}

    static List<Finding> findings() {
        List<Path> folders = folders();
        return LIBRARIES.stream().map(library -> look(library, folders)).toList();
    }

    private static Finding look(Library library, List<Path> folders) {
        Optional<Path> place = folders.stream()
                .map(folder -> folder.resolve(library.file))
                .filter(Files::exists)
                .findFirst();
        return place.map(path -> Finding.good(library.file, path.toString(), "For " + library.purpose + "."))
                .orElseGet(() -> Finding.less(
                        library.file,
                        "not found",
                        "For " + library.purpose + ". Debian and Ubuntu have it in the package " + library.debianPackage
                                + "."));
    }

    /** Where the dynamic linker looks, as far as files tell. */
    private static List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        for (String folder : System.getenv().getOrDefault("LD_LIBRARY_PATH", "").split(":", -1)) {
            if (!folder.isEmpty()) {
                folders.add(Path.of(folder));
            }
        }
        addFrom(Path.of("/etc/ld.so.conf"), folders);
        Path more = Path.of("/etc/ld.so.conf.d");
        if (Files.isDirectory(more)) {
            try (Stream<Path> files = Files.list(more)) {
                files.sorted().forEach(file -> addFrom(file, folders));
            } catch (IOException unreadable) {
                // the standard folders remain
            }
        }
        Stream.of("/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib")
                .map(Path::of)
                .forEach(folders::add);
        return folders.stream().filter(Files::isDirectory).distinct().toList();
    }

    private static void addFrom(Path file, List<Path> folders) {
        if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
            return;
        }
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("/")) {
                    folders.add(Path.of(line.strip()));
                }
            }
        } catch (IOException unreadable) {
            // the other folders remain
        }
    }
}
