package org.galerna.launch.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.program.ClassPath;

/**
 * Whether a program brings anything that has a name of Galerna's: classes in its packages, or links, devices and the like of its own;
 * or selectors, which sockets need.
 *
 * <p>Ranks of a program that brings none have Galerna as a module, and need not open {@code galerna.jar}: the virtual machine looks for a
 * class of the program in the program's class path alone, and what Galerna consists of is known from the cache. Others have Galerna before
 * the program on their class path, since all classes of a package are in its module.
 */
final class OwnNames {
    private static final List<String> BEGINNINGS = List.of(
            "org/galerna/",
            "mpi/",
            "mpjbuf/",
            "mpjdev/",
            "xdev/",
            "META-INF/services/org.galerna.",
            "META-INF/services/java.nio.channels.spi.SelectorProvider");

    /** An archive that has more files is not looked through, since that takes longer than ranks would. */
    private static final int MOST_FILES = 10_000;

    /** Nor are more archives and folders than these. */
    private static final int MOST_PLACES = 32;

    private OwnNames() {}

    /** The class path of a program without {@code galerna.jar}; empty if it has nothing else. */
    static String without(String classPath) {
        String galerna = GalernaPath.classPath();
        return classPath.contains(galerna)
                ? places(classPath)
                        .filter(place -> !place.equals(galerna))
                        .collect(Collectors.joining(File.pathSeparator))
                : classPath;
    }

    private static Stream<String> places(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1));
    }

    /**
     * Whether there are any.
     *
     * @param classPath of the program, as {@code java -cp} takes it; {@code galerna.jar} does not count
     * @param workingFolder where the program runs
     * @return true as well if there is too much to look through, or nothing
     */
    static boolean mayBeIn(String classPath, Path workingFolder) {
        String program = without(classPath);
        if (program.isEmpty()) {
            return true;
        }
        try {
            List<Path> places = ClassPath.parse(places(program)
                    .map(place -> workingFolder.resolve(place).toString())
                    .collect(Collectors.joining(File.pathSeparator)));
            if (places.size() > MOST_PLACES) {
                return true;
            }
            try (ClassPath programs = ClassPath.open(places)) {
                return programs.mayHave(BEGINNINGS, MOST_FILES);
            }
        } catch (IOException | InvalidPathException unreadable) {
            return true;
        }
    }
}
