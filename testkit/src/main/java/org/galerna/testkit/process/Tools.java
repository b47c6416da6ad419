package org.galerna.testkit.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs of other people that tests start, if they are installed. */
public final class Tools {
    /** Where daemons are, which need not be on the path of a user. */
    private static final String MORE_FOLDERS = "/usr/local/sbin" + File.pathSeparator + "/usr/sbin";

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
}
