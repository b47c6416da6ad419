package org.galerna.cli.program;

import java.io.File;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.galerna.launch.GalernaPath;

/** The class path that the command itself was started with: {@code java -cp classes:galerna.jar org.galerna.cli.Main}. */
final class ClassPathOfLauncher {
    private ClassPathOfLauncher() {}

    /** What is on it and is not Galerna, which is the program; empty if there is nothing else. */
    static Optional<String> withoutGalerna() {
        return without(System.getProperty("java.class.path", ""), GalernaPath.classPath());
    }

    static Optional<String> without(String classPath, String galerna) {
        Set<String> own = Arrays.stream(galerna.split(File.pathSeparator))
                .map(ClassPathOfLauncher::absolute)
                .collect(Collectors.toSet());
        String rest = Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> !own.contains(absolute(entry)))
                .collect(Collectors.joining(File.pathSeparator));
        return classPath.isEmpty() || rest.isEmpty() ? Optional.empty() : Optional.of(rest);
    }

    private static String absolute(String entry) {
        return new File(entry).toPath().toAbsolutePath().normalize().toString();
    }
}
