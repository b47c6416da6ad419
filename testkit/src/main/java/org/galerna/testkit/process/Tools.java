package org.galerna.testkit.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs of other people that tests start, if they are installed. */
public final class Tools {
    /** Where daemons are, which need not be on the path of a user. */
    private static final String MORE_FOLDERS = "/usr/local/sbin" + File.pathSeparator + "/usr/sbin";

    private static final Path LIBRARIES = Path.of("/usr/lib");

    private Tools() {}

    /** The program of that name on the path. */
    public static Optional<Path> find(String program) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + MORE_FOLDERS;
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * As {@link #find}; without the program the test is skipped, and the report says what to install.
     *
     * @param debianPackages the packages of Debian and Ubuntu that bring it
     */
    public static Path require(String program, String debianPackages) {
        return find(program)
                .orElseGet(() -> Assumptions.abort(
                        program + " is not installed; Debian and Ubuntu: apt-get install " + debianPackages));
    }

    /** As {@link #require(String, String)} of a library that a program loads by its plain name. */
    public static void requireLibrary(String file, String debianPackages) {
        List<Path> folders = new ArrayList<>(List.of(Path.of("/usr/local/lib"), Path.of("/usr/lib64"), LIBRARIES));
        try (DirectoryStream<Path> architectures = Files.newDirectoryStream(LIBRARIES, "*-linux-gnu")) {
            architectures.forEach(folders::add);
        } catch (IOException none) {
            // the others remain
        }
        Assumptions.assumeTrue(
                folders.stream().anyMatch(folder -> Files.exists(folder.resolve(file))),
                file + " is not installed; Debian and Ubuntu: apt-get install " + debianPackages);
    }
}
